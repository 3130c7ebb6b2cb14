import { expect, it } from 'vitest'
import { reportUnderKills } from '../support/report-kills.ts'

const rounds = 40

it('is built once and whole, however often workers are killed in the middle', async () => {
  const { kills, statuses, rows, builds } = await reportUnderKills(rounds, 2)
  expect(kills).toBeGreaterThan(rounds)
  expect(new Set(statuses)).toEqual(new Set(['ready']))
  expect(new Set(builds)).toEqual(new Set([1]))
  expect(new Set(rows).size).toBe(1)
})
