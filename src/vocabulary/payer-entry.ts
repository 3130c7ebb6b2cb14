/** An insurer or state affiliate whose files we know by name. */
export interface PayerEntry {
  /** What requests and answers call it. */
  readonly payer: string
  /** What people read. */
  readonly name: string
  /** Where it does business; empty means nationwide. */
  readonly states: readonly string[]
  /** How its files name it in `reporting_entity_name`, beside its name. */
  readonly aliases: readonly string[]
  /** True for payers that exist only in the synthetic demo. */
  readonly synthetic?: boolean
}
