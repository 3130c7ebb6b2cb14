import { expect, it } from 'vitest'
import { reportUnderKills } from '../support/report-kills.ts'

/** The short version of kill.soak.ts. */
it('is built once and whole after workers were killed in the middle', { timeout: 180_000 }, async () => {
  const { kills, statuses, rows, builds } = await reportUnderKills(2, 1)
  expect(kills).toBeGreaterThan(0)
  expect(statuses).toEqual(['ready', 'ready'])
  expect(builds).toEqual([1, 1])
  expect(rows[0]!.length).toBeGreaterThan(100_000)
  expect(rows[1] === rows[0]).toBe(true)
})
