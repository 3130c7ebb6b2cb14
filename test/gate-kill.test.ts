import { expect, it } from 'vitest'
import { killRounds } from '../bench/support/gate-kills.ts'
import { freshStore } from './support/service.ts'

/** The short version of gate-kill.soak.ts. */
it('loses no acknowledged call and no credit when the server is killed under load', async () => {
  const { errors } = await killRounds(await freshStore(), {
    rounds: 2,
    underLoadMs: 700,
    organizations: 4,
    connectionsEach: 4,
  })
  expect(errors).toEqual([])
})
