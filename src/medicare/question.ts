/** A question about a Medicare table with its defaults filled in. */
export interface MedicareRatesQuestion {
  readonly codes: readonly string[] | undefined
  readonly years: readonly number[]
  /** Two-letter codes or `national`; the fee schedule only. */
  readonly states: readonly string[] | undefined
  readonly month: number | undefined
  readonly limit: number
}
