import { expect, it } from 'vitest'
import { contractsUnderKills } from '../support/contract-kills.ts'
import { freshStore } from '../support/service.ts'

const rounds = 30

it('loses no acknowledged contract and no acknowledged edit, however often the server is killed', async () => {
  const { errors, ...counts } = await contractsUnderKills(await freshStore(), rounds)
  console.log(JSON.stringify({ rounds, ...counts }))
  expect(errors).toEqual([])
  expect(counts.unread).toBeGreaterThan(rounds / 2)
  expect(counts.edits).toBeGreaterThan(rounds)
})
