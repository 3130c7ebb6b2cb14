import { Build } from '../warehouse/build.ts'

/**
 * Which providers a payer lists under which taxpayers: the distinct pairs of its newest published month,
 * and the business names that its files give to TINs.
 */
export interface Listed {
  readonly payer: string
  /** TINs as text: nine digits, or ten where the payer reports an NPI. */
  readonly tins: readonly string[]
  readonly npis: Float64Array
  /** Places in `tins` and `npis`, pair by pair. An NPI of 0 is a contract at the level of the TIN. */
  readonly pairTin: Uint32Array
  readonly pairNpi: Uint32Array
  /** Business name per TIN, in the order of `tins`; empty where no file gives one. */
  readonly tinNames: readonly string[]
}

/** What published builds list, one build in memory at a time. */
export function* listedIn(folders: readonly string[]): Generator<Listed> {
  for (const folder of folders) {
    const build = new Build(folder)
    try {
      const { npi, tin, pairTin, pairNpi } = build.providers
      yield {
        payer: build.payer,
        tins: Array.from(tin, (_, place) => build.tinText(place)),
        npis: npi,
        pairTin,
        pairNpi,
        tinNames: build.tinTexts.names,
      }
    } finally {
      build.close()
    }
  }
}
