/** A provider's ten-digit number. */
export type Npi = number & { readonly npi: unique symbol }

/** Whether ten digits are an NPI: the last one is a Luhn check over "80840" and the first nine. */
export function npiCheckDigitHolds(npi: number): boolean {
  if (!Number.isInteger(npi) || npi < 1_000_000_000 || npi > 9_999_999_999) return false
  // 24 is what the constant prefix 80840 adds to the Luhn sum.
  let sum = 24
  let rest = npi
  for (let place = 0; place < 10; place++) {
    const digit = rest % 10
    const twice = digit * 2
    sum += place % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice
    rest = Math.floor(rest / 10)
  }
  return sum % 10 === 0
}

/** The NPI in a text of ten digits, whatever its check digit says; undefined otherwise. */
export function npiFromText(text: string): Npi | undefined {
  return /^[1-9]\d{9}$/.test(text) ? (Number(text) as Npi) : undefined
}

/** A taxpayer number as nine-digit text (an EIN, leading zeroes kept), or an NPI where a payer reports one in its place. */
export type Tin = string & { readonly tin: unique symbol }
export type TinType = 'ein' | 'npi'

/** The TIN in a payer file's text (`12-3456789`, `123456789`, an NPI); undefined where it is none (all zeroes are none). Never padded: a short number is a guess. */
export function tinFromText(text: string): Tin | undefined {
  const digits = /^\d{2}-\d{7}$/.test(text) ? text.replace('-', '') : text
  return /^(?!0{9}$)(\d{9}|[1-9]\d{9})$/.test(digits) ? (digits as Tin) : undefined
}

// The campuses and the internet service of the IRS share the other eighty-three.
const unassignedPrefixes = new Set([0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97])

/** Whether the IRS gives out EINs whose first two digits are this number. */
export const isEinPrefix = (prefix: number) => !unassignedPrefixes.has(prefix)

/** At the interface a TIN is a number; inside, nine digits of text. */
export const tinFromNumber = (tin: number) => String(tin).padStart(9, '0') as Tin
export const tinNumber = (tin: Tin) => Number(tin)
export const tinTypeOf = (tin: Tin): TinType => (tin.length === 10 ? 'npi' : 'ein')
