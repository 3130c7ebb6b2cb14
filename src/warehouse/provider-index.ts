import type { BuildProviders } from './build.ts'

/** Finds the pairs of an NPI or a TIN in a build. */
export class ProviderIndex {
  private readonly providers: BuildProviders
  private readonly byNpi: Grouped
  private readonly byTin: Grouped

  constructor(providers: BuildProviders) {
    this.providers = providers
    this.byNpi = grouped(providers.pairNpi, providers.npi.length)
    this.byTin = grouped(providers.pairTin, providers.tin.length)
  }

  pairsOfNpi(npi: number): Uint32Array {
    return this.byNpi.of(rowOf(this.providers.npi, npi))
  }

  /** Pairs of a TIN given as a number; leading zeroes do not matter. */
  pairsOfTin(tin: number): Uint32Array {
    return this.byTin.of(rowOf(this.providers.tin, tin))
  }

  pairsOfTinRow(row: number): Uint32Array {
    return this.byTin.of(row)
  }

  /** The atom that a pair belongs to. */
  atomOf(pair: number): number {
    const { atomEnd } = this.providers
    let low = 0
    let high = atomEnd.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (atomEnd[middle]! <= pair) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface Grouped {
  of(row: number): Uint32Array
}

const nobody = new Uint32Array(0)

// Pairs gathered by one of their sides, by counting.
function grouped(side: Uint32Array, rows: number): Grouped {
  const starts = new Uint32Array(rows + 1)
  for (const row of side) starts[row + 1]!++
  for (let row = 0; row < rows; row++) starts[row + 1]! += starts[row]!
  const next = starts.slice()
  const pairs = new Uint32Array(side.length)
  for (let pair = 0; pair < side.length; pair++) pairs[next[side[pair]!]!++] = pair
  return { of: (row) => (row < 0 ? nobody : pairs.subarray(starts[row], starts[row + 1])) }
}

function rowOf(ascending: Float64Array, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return low < ascending.length && ascending[low] === value ? low : -1
}

const kept = new WeakMap<BuildProviders, ProviderIndex>()

/** The index of a build, made when first asked and kept as long as its providers are in memory. */
export function providerIndex(providers: BuildProviders): ProviderIndex {
  let index = kept.get(providers)
  if (!index) kept.set(providers, (index = new ProviderIndex(providers)))
  return index
}
