import type { Snapshot } from '../warehouse/rates.ts'

/** A TIN as payers publish it: its name, and the NPIs it is published with. */
export interface PublishedTin {
  readonly payer: string
  /** Nine digits, or an NPI, or what the file wrote. */
  readonly tin: string
  readonly businessName: string
  /** Ascending; a TIN-level contract names none. */
  readonly npis: readonly number[]
}

/** Every TIN of every payer's newest period with its NPIs: what the directory's TIN search and in-network payers are made from. */
export function* publishedTins(snapshot: Snapshot): Generator<PublishedTin> {
  for (const build of snapshot.latest()) {
    const { npi, tin, pairTin, pairNpi } = build.providers
    const members: number[][] = Array.from({ length: tin.length }, () => [])
    for (let pair = 0; pair < pairTin.length; pair++) {
      const value = npi[pairNpi[pair]!]!
      if (value !== 0) members[pairTin[pair]!]!.push(value)
    }
    for (const [row, npis] of members.entries())
      yield {
        payer: build.payer,
        tin: build.tinText(row),
        businessName: build.tinTexts.names[row]!,
        npis: npis.sort((a, b) => a - b),
      }
    build.shed()
  }
}
