import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ingestUnderKills } from '../support/kills.ts'

const folder = mkdtempSync(join(tmpdir(), 'kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('publishes the same bytes after 50 kills', async () => {
  const { expected, found, kills, publishedAfterKills, broken } = await ingestUnderKills(folder, 50, 'long')
  console.log({ kills, publishedAfterKills: publishedAfterKills.join(' ') })
  expect(found).toEqual(expected)
  expect(broken).toEqual([])
  expect(kills).toBeGreaterThan(20)
  expect(publishedAfterKills.filter((months) => months !== 0 && months !== 2)).toEqual([])
})
