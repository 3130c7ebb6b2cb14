import { z } from 'zod'

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

export const Npi = z
  .int()
  .min(1_000_000_000, 'an NPI has ten digits')
  .max(9_999_999_999, 'an NPI has ten digits')
  .describe('National Provider Identifier, ten digits')
  .meta({ examples: [1234567893] })

/** A taxpayer number as nine-digit text (an EIN, leading zeroes kept), or an NPI where a payer reports one in its place. */
export type Tin = string & { readonly tin: unique symbol }
export type TinType = 'ein' | 'npi'

/** The TIN in a payer file's text (`12-3456789`, `123456789`, an NPI); undefined where it is none (all zeroes are none). Never padded: a short number is a guess. */
export function tinFromText(text: string): Tin | undefined {
  const digits = /^\d{2}-\d{7}$/.test(text) ? text.replace('-', '') : text
  return /^(?!0{9}$)(\d{9}|[1-9]\d{9})$/.test(digits) ? (digits as Tin) : undefined
}

/** At the interface a TIN is a number; inside, nine digits of text. */
export const tinFromNumber = (tin: number) => String(tin).padStart(9, '0') as Tin
export const tinNumber = (tin: Tin) => Number(tin)
export const tinTypeOf = (tin: Tin): TinType => (tin.length === 10 ? 'npi' : 'ein')

export const TinNumber = z
  .int()
  .min(1, 'a TIN has up to nine digits, or ten where it is an NPI')
  .max(9_999_999_999, 'a TIN has up to nine digits, or ten where it is an NPI')
  .describe(
    'Taxpayer identification number as a number (leading zeroes fall away), or an NPI where the payer reports one',
  )
  .meta({ examples: [123456789] })

/** A hospital's CMS certification number: six characters, digits in the main, letters in some. `ccnParts` says what they mean. */
export type Ccn = string & { readonly ccn: unique symbol }

export const Ccn = z
  .string()
  .regex(
    /^[0-9A-Z]\d[0-9A-Z]{2}\d[0-9EF]$/,
    'a CCN has six characters such as "050454", "45S033", "45TA38" or "01014F"',
  )
  .describe('CMS certification number: six characters, state (2), type and sequence (4)')
  .meta({ examples: ['050454'] })

export const ZipCode = z
  .string()
  .regex(/^\d{5}$/, 'a ZIP code has five digits')
  .describe('Five-digit ZIP code')
  .meta({ examples: ['33101'] })
