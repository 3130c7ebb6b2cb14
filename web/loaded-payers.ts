/** A payer whose rates can be asked. */
export interface LoadedPayer {
  readonly payer: string
  readonly name: string
  readonly states: readonly string[]
  readonly months: string[]
}

/** Every month that one of these payers has, oldest first. */
export function monthsOf(loaded: readonly LoadedPayer[], payers: readonly string[]): string[] {
  return [
    ...new Set(loaded.filter(({ payer }) => payers.includes(payer)).flatMap(({ months }) => months)),
  ].sort()
}
