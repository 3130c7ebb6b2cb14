import { amountFromText, amountText } from '../../vocabulary/amount.ts'

const digitsMax = 400
const plainLengthMax = 60

/**
 * One text for each number, whatever way it is written: `690.64470` and `690.6447` are one provider_group_id, `1e2` is `100`.
 * Never a float: ids have been seen with more digits than a float holds. Undefined where the text is no number.
 */
export function canonicalDecimal(text: string): string | undefined {
  const parts = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/.exec(text)
  if (!parts) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const allDigits = (whole + fraction).replace(/^0+/, '')
  const digits = allDigits.replace(/0+$/, '')
  if (digits === '') return '0'
  // The number is 0.DIGITS times ten to this power.
  const power = allDigits.length - fraction.length + Number(exponent)
  const minus = sign === '-' ? '-' : ''
  if (Math.abs(power) + digits.length > plainLengthMax && power !== digits.length) {
    return `${minus}0.${digits}e${power}`
  }
  if (power <= 0) return `${minus}0.${'0'.repeat(-power)}${digits}`
  if (power >= digits.length) return `${minus}${digits}${'0'.repeat(power - digits.length)}`
  return `${minus}${digits.slice(0, power)}.${digits.slice(power)}`
}

/** A rate in whole ten-thousandths; `rounded` where it had more than four decimals. */
export interface RateText {
  readonly amount: number
  readonly rounded: boolean
}

/** The largest amount kept: 2^53 - 1 ten-thousandths, 900 billion dollars. */
export const amountMax = Number.MAX_SAFE_INTEGER

/** Reads a rate's text exactly. 'none' where it is no number, 'beyond' where it cannot be kept. */
export function rateFromText(text: string): RateText | 'none' | 'beyond' {
  if (text.length > digitsMax) return /^[\d.eE+-]+$/.test(text) ? 'beyond' : 'none'
  const exponent = /[eE]([+-]?\d+)$/.exec(text)
  if (exponent && Math.abs(Number(exponent[1])) > digitsMax) return 'beyond'
  const amount = amountFromText(text)
  if (amount === undefined) return 'none'
  if (amount > BigInt(amountMax) || amount < -BigInt(amountMax)) return 'beyond'
  const rounded = canonicalDecimal(text) !== canonicalDecimal(amountText(amount))
  return { amount: Number(amount), rounded }
}

/** Where the number ended that `plainAmount` read last. */
export let plainAmountEnd = 0

/**
 * The amount of a number in its usual form: up to eleven digits, perhaps a point and up to four more, no sign, no exponent.
 * -1 for any other form, which `rateFromText` reads. A number that touches `end` is another form.
 */
export function plainAmount(bytes: Uint8Array, at: number, end: number): number {
  let index = at
  let amount = 0
  let byte = 0
  const wholeMax = Math.min(at + 12, end)
  for (; index < wholeMax; index++) {
    byte = bytes[index]! - 0x30
    if (byte < 0 || byte > 9) break
    amount = amount * 10 + byte
  }
  const digits = index - at
  if (digits === 0 || digits > 11 || index >= end || (digits > 1 && bytes[at] === 0x30)) return -1
  if (bytes[index] !== 0x2e) {
    if ((bytes[index]! | 0x20) === 0x65) return -1
    plainAmountEnd = index
    return amount * 10_000
  }
  const point = index++
  const fractionMax = Math.min(point + 6, end)
  for (; index < fractionMax; index++) {
    byte = bytes[index]! - 0x30
    if (byte < 0 || byte > 9) break
    amount = amount * 10 + byte
  }
  const decimals = index - point - 1
  if (decimals === 0 || decimals > 4 || index >= end || (bytes[index]! | 0x20) === 0x65) return -1
  plainAmountEnd = index
  return amount * scales[decimals]!
}

const scales = [10_000, 1_000, 100, 10, 1]
