import { expect, it } from 'vitest'
import { spoiledReads } from '../../../test/support/spoiled-reads.ts'

/** The short version of spoiled.soak.ts. */
it(
  'reads or refuses spoiled documents, without a crash, a hang or much memory',
  { timeout: 240_000 },
  async () => {
    const { crashes, ended, peakBytes, counts } = await spoiledReads('short', 300)
    expect(crashes).toEqual([])
    expect(ended).toBe(true)
    expect(peakBytes).toBeLessThan(600_000_000)
    expect(counts['docx']).toMatchObject({ refused: expect.any(Number) })
    for (const of of Object.values(counts)) expect(of['read'] ?? 0).toBeGreaterThan(0)
  },
)
