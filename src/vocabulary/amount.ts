/**
 * A published rate, kept whole: a count of ten-thousandths of a dollar (or of a percent).
 * Floating-point dollars drift when summed; whole numbers do not.
 */
export type Amount = bigint & { readonly amount: unique symbol }

export const amountScale = 10_000n
const decimals = 4

/**
 * Reads a JSON number's text exactly: `123.45` is 1234500n, `1e3` is 10000000n.
 * More than four decimals are rounded half away from zero, once.
 * Undefined where the text is no number, or one of more digits than any published price can mean.
 */
export function amountFromText(text: string): Amount | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim()) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const shift = Number(exponent) + decimals - fraction.length
  const digits = BigInt(whole + fraction)
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : halfUp(digits, 10n ** BigInt(-shift))
  return (sign === '-' ? -scaled : scaled) as Amount
}

/** Division of non-negative whole numbers, rounded half up. */
export function halfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

/** The shortest exact text: 1234500n is `123.45`. */
export function amountText(amount: bigint): string {
  const positive = amount < 0n ? -amount : amount
  const fraction = String(positive % amountScale)
    .padStart(decimals, '0')
    .replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${positive / amountScale}${fraction && `.${fraction}`}`
}

/** The JSON number of an amount. It prints as `amountText` does for every amount below 2^39 dollars (549 billion); beyond, doubles stand wider apart than ten-thousandths. */
export const amountNumber = (amount: bigint) => Number(amountText(amount))
