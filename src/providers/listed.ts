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
  readonly tinNames: ReadonlyMap<string, string>
}
