import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ingestUnderKills } from '../support/kills.ts'

const folder = mkdtempSync(join(tmpdir(), 'kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('publishes the same bytes however often it is killed', { timeout: 180_000 }, async () => {
  const { expected, found, publishedAfterKills, broken } = await ingestUnderKills(folder, 3, 'short')
  expect(Object.keys(expected).length).toBeGreaterThan(4)
  expect(found).toEqual(expected)
  expect(broken).toEqual([])
  // Both months are published at once, or neither is.
  expect(publishedAfterKills.filter((months) => months !== 0 && months !== 2)).toEqual([])
})
