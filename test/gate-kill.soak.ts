import { expect, it } from 'vitest'
import { killRounds } from '../bench/support/gate-kills.ts'
import { freshStore } from './support/service.ts'

it('loses no acknowledged call and no credit in twenty kills under load', async () => {
  const { errors } = await killRounds(await freshStore(), { rounds: 20, underLoadMs: 3_000 })
  expect(errors).toEqual([])
})
