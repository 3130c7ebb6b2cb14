import { unknownProvider } from '../warehouse/provider-attributes.ts'
import type { Pool } from './pools.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { Turns } from './turns.ts'

export interface ProviderCounts {
  npis: number
  tins: number
}

/** How many different NPIs and TINs a pool has; exact over any number of builds. */
export async function distinctProviders(pool: Pool, turns: Turns): Promise<ProviderCounts> {
  const [only, ...others] = pool.parts
  if (!only) return { npis: 0, tins: 0 }
  return others.length === 0
    ? only.cohort.distinct(only.sets())
    : ((await distinctByGroup(pool, undefined, turns)).get(0) ?? { npis: 0, tins: 0 })
}

/** The same, split by the directory fields of a grouping. A provider is in one group; a TIN may be in several. */
export async function distinctByGroup(
  pool: Pool,
  keys: ProviderKeys | undefined,
  turns: Turns,
): Promise<Map<number, ProviderCounts>> {
  const counts = new Map<number, ProviderCounts>()
  const npisSeen = new RankSet()
  const tinsSeen = new Map<number, Set<number | string>>()
  for (const part of pool.parts) {
    await turns.pause()
    const { cohort } = part
    const { tin: tinValue } = cohort.providers
    cohort.eachPair(part.sets(), (rank, _, tin) => {
      const group = keys ? keys.groupOf(keys.keyOf(rank)) : 0
      let count = counts.get(group)
      if (!count) counts.set(group, (count = { npis: 0, tins: 0 }))
      if (npisSeen.add(rank)) count.npis++
      let seen = tinsSeen.get(group)
      if (!seen) tinsSeen.set(group, (seen = new Set()))
      const value = tinValue[tin]!
      seen.add(value < 0 ? cohort.build.tinText(tin) : value)
    })
  }
  for (const [group, seen] of tinsSeen) counts.get(group)!.tins = seen.size
  return counts
}

/** Ranks met so far, one bit each. */
class RankSet {
  private bits = new Uint32Array(1 << 10)

  add(rank: number): boolean {
    if (rank === unknownProvider) return false
    const word = rank >>> 5
    if (word >= this.bits.length) {
      const larger = new Uint32Array(Math.max(word + 1, this.bits.length * 2))
      larger.set(this.bits)
      this.bits = larger
    }
    const bit = 1 << (rank & 31)
    if ((this.bits[word]! & bit) !== 0) return false
    this.bits[word]! |= bit
    return true
  }
}
