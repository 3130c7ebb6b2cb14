import type { Build } from '../../src/warehouse/build.ts'
import type { NaiveEntry } from './naive-rates.ts'

/** Every entry of a build, spelled out. */
export function entriesOf(build: Build, codes?: ReadonlySet<string>): NaiveEntry[] {
  const entries: NaiveEntry[] = []
  const { npi, pairTin, pairNpi, atomEnd, setEnd, setAtom } = build.providers
  for (const [row, code] of build.codes.code.entries()) {
    if (codes && !codes.has(code)) continue
    const block = build.prices(row)
    const places = build.places(row)
    let run = 0
    for (let at = 0; at < block.rows; at++) {
      while (block.runEnd[run]! <= at) run++
      const term = build.summary.terms[block.runTerm[run]!]!
      const label = build.summary.labels[block.label[at]!]!
      const place = build.place(places, at)
      const set = block.set[at]!
      for (let a = set === 0 ? 0 : setEnd[set - 1]!; a < setEnd[set]!; a++) {
        const atom = setAtom[a]!
        for (let pair = atom === 0 ? 0 : atomEnd[atom - 1]!; pair < atomEnd[atom]!; pair++)
          entries.push({
            payer: build.payer,
            month: build.month,
            tin: build.tinText(pairTin[pair]!),
            npi: npi[pairNpi[pair]!]!,
            type: build.codes.type[row]!,
            code,
            severity: build.codes.severity[row]!,
            ...term,
            rate: block.rate[at]!,
            networks: new Set(label.networks.map((name) => build.summary.networkNames[name]!)),
            plans: new Set(label.plans.map((name) => build.summary.planNames[name]!)),
            first: [place.digest, place.item, place.rate],
          })
      }
    }
  }
  return entries
}

/** Entries as texts that can be compared, in order. */
export const comparable = (entries: readonly NaiveEntry[]) =>
  entries
    .map((entry) =>
      JSON.stringify([
        entry.payer,
        entry.month,
        entry.tin,
        entry.npi,
        entry.type,
        entry.code,
        entry.severity,
        entry.billingClass,
        entry.setting,
        entry.negotiatedType,
        entry.serviceCodes,
        entry.modifiers,
        entry.rate,
        [...entry.networks].sort(),
        [...entry.plans].sort(),
        entry.first,
      ]),
    )
    .sort()
