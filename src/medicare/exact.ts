import { halfUp } from '../vocabulary/amount.ts'

/** A number with a fixed count of decimals, kept whole: 32.3465 with four decimals is 323465n. */
export type Scaled = bigint

/** Reads a decimal text exactly to the asked scale; undefined where it is no number or has more decimals than fit. */
export function scaledFromText(text: string, decimals: number): Scaled | undefined {
  const [, sign, whole = '', fraction = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', '')) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > decimals) return undefined
  const digits = BigInt(`${whole}${kept.padEnd(decimals, '0')}`)
  return sign === '-' ? -digits : digits
}

/** The number of a scaled value, for answers only. */
export const scaledNumber = (value: Scaled, decimals: number) => Number(scaledText(value, decimals))

export function scaledText(value: Scaled, decimals: number): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return `${value < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** Relative values of a service in hundredths. */
export interface RelativeValues {
  readonly work: Scaled
  readonly practiceExpense: Scaled
  readonly malpractice: Scaled
}

/** Geographic practice cost indices in thousandths. */
export interface Indices {
  readonly work: Scaled
  readonly practiceExpense: Scaled
  readonly malpractice: Scaled
}

export const nationalIndices: Indices = { work: 1000n, practiceExpense: 1000n, malpractice: 1000n }

/** A conversion factor in ten-thousandths of a dollar, with the adjuster that 2007 and 2008 put on the work value. */
export interface Factor {
  readonly factor: Scaled
  /** Ten-thousandths; 10000n where there is none. */
  readonly workAdjuster: Scaled
}

/**
 * What the fee schedule pays, in cents: (W·gW + PE·gPE + MP·gMP)·CF in exact decimals, rounded half up once at the end.
 * The adjusted work value is rounded to hundredths first, as CMS did in the two years that had an adjuster.
 */
export function feeCents(values: RelativeValues, indices: Indices, { factor, workAdjuster }: Factor): bigint {
  const work = workAdjuster === 10_000n ? values.work : halfUp(values.work * workAdjuster, 10_000n)
  const units =
    work * indices.work +
    values.practiceExpense * indices.practiceExpense +
    values.malpractice * indices.malpractice
  // Hundredths times thousandths times ten-thousandths are billionths of a dollar; ten million of them are a cent.
  return halfUp(units * factor, 10_000_000n)
}
