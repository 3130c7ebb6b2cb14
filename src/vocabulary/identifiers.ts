import { z } from 'zod'
import type { Npi as NpiNumber } from './provider-numbers.ts'

export {
  npiCheckDigitHolds,
  npiFromText,
  tinFromNumber,
  tinFromText,
  tinNumber,
  tinTypeOf,
  type Tin,
  type TinType,
} from './provider-numbers.ts'

/** A provider's ten-digit number. */
export type Npi = NpiNumber

export const Npi = z
  .int()
  .min(1_000_000_000, 'an NPI has ten digits')
  .max(9_999_999_999, 'an NPI has ten digits')
  .describe('National Provider Identifier, ten digits')
  .meta({ examples: [1234567893] })

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
