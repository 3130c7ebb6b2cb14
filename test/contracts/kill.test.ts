import { expect, it } from 'vitest'
import { contractsUnderKills } from '../support/contract-kills.ts'
import { freshStore } from '../support/service.ts'

/** The short version of kill.soak.ts. */
it('loses no acknowledged contract and no acknowledged edit when the server is killed', async () => {
  const { errors, uploads, edits, unread } = await contractsUnderKills(await freshStore(), 2)
  expect(errors).toEqual([])
  expect(uploads).toBeGreaterThan(1)
  expect(edits).toBeGreaterThan(0)
  expect(unread).toBeGreaterThan(0)
}, 240_000)
