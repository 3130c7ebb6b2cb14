import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparable, entriesOf } from '../../test/support/build-entries.ts'
import { naiveEntries } from '../../test/support/naive-rates.ts'
import { publishedFiles } from '../../test/support/payer-files.ts'
import { publishFiles } from '../../test/support/published.ts'

const runs = Number(process.env['RATEBOOK_TEST_RUNS'] ?? 40)

describe('a built month', () => {
  it(
    'holds every entry once, with all its networks and plans, at the place where it was first seen',
    async () => {
      await fc.assert(
        fc.asyncProperty(publishedFiles, async (files) => {
          const published = await publishFiles(files)
          try {
            const snapshot = await published.rates.current()
            const entries = snapshot.builds.flatMap((build) => entriesOf(build))
            expect(comparable(entries)).toEqual(comparable(naiveEntries(files)))
            const counted = snapshot.builds.reduce((sum, build) => sum + build.summary.counts.entries, 0)
            expect(counted).toBe(entries.length)
          } finally {
            published.remove()
          }
        }),
        { numRuns: runs },
      )
    },
    60_000 + runs * 1_000,
  )
})
