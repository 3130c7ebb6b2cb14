import { expect, it } from 'vitest'
import { spoiledReads } from '../../../test/support/spoiled-reads.ts'

it.each(['one', 'two', 'three', 'four'])('reads or refuses spoiled documents, seed %s', async (seed) => {
  const { crashes, ended, peakBytes, slowestMs, counts } = await spoiledReads(seed, 10_000)
  console.log(JSON.stringify({ seed, counts, slowestMs, peakBytes }))
  expect(crashes).toEqual([])
  expect(ended).toBe(true)
  expect(peakBytes).toBeLessThan(600_000_000)
})
