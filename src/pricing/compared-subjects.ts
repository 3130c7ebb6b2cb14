import type { Term } from '../warehouse/terms.ts'
import { isFacility, type MedicareAmounts, type MedicareQuestion } from './baseline.ts'

/** What Medicare is asked about, each combination of code, modifiers and facility once. */
export class ComparedSubjects {
  private readonly medicare: MedicareAmounts
  private readonly year: number
  private readonly subjects: Omit<MedicareQuestion, 'locality'>[] = []
  private readonly ids = new Map<string, number>()
  private readonly amounts = new Map<number, number | undefined>()

  constructor(medicare: MedicareAmounts, year: number) {
    this.medicare = medicare
    this.year = year
  }

  id({ type, code }: { readonly type: string; readonly code: string }, term: Term): number {
    const facility = isFacility(term)
    const key = `${type} ${code} ${facility} ${term.modifiers.join()}`
    let id = this.ids.get(key)
    if (id === undefined) {
      id = this.subjects.push({ year: this.year, type, code, modifiers: term.modifiers, facility }) - 1
      this.ids.set(key, id)
    }
    return id
  }

  /**
   * A rate as a percent of Medicare, in ten-thousandths of a percent, rounded half up once.
   * Undefined where Medicare has no amount.
   */
  percent(rate: number, subject: number, locality: number | undefined): number | undefined {
    const amount = this.amount(subject, locality)
    if (amount === undefined) return undefined
    const dividend = BigInt(rate) * 1_000_000n
    const divisor = BigInt(amount)
    return Number((2n * dividend + divisor) / (2n * divisor))
  }

  /** What Medicare pays, in ten-thousandths of a dollar; undefined where it has no amount. */
  amount(subject: number, locality: number | undefined): number | undefined {
    if (locality === undefined) return undefined
    const key = subject * 0x10_0000 + locality
    let amount = this.amounts.get(key)
    if (amount === undefined && !this.amounts.has(key)) {
      amount = this.medicare.amount({ ...this.subjects[subject]!, locality })
      this.amounts.set(key, amount)
    }
    return amount === undefined || amount <= 0 ? undefined : amount
  }
}
