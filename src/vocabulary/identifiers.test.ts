import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Ccn,
  Npi,
  npiCheckDigitHolds,
  npiFromText,
  tinFromNumber,
  tinFromText,
  TinNumber,
  tinNumber,
  tinTypeOf,
  ZipCode,
} from './identifiers.ts'
import type { Tin } from './identifiers.ts'

/** Luhn over the written-out card number, as the standard words it. */
function luhnHolds(text: string): boolean {
  const digits = text.split('').reverse().map(Number)
  const sum = digits.reduce((total, digit, i) => {
    const value = i % 2 === 1 ? digit * 2 : digit
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return sum % 10 === 0
}

describe('an NPI', () => {
  it('has a check digit', () => {
    for (const good of [1234567893, 1164582649, 1730666900, 1114284668, 1104985373, 1285613760, 1093980625])
      expect(npiCheckDigitHolds(good)).toBe(true)
    for (const bad of [
      1234567890,
      1164582648,
      1730666901,
      1114284686,
      0,
      123456789,
      12345678930,
      -1234567893,
      1234567893.5,
      NaN,
    ])
      expect(npiCheckDigitHolds(bad)).toBe(false)
  })

  it('has exactly one check digit that holds, and it is Luhn’s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000_000, max: 999_999_999 }), (nine) => {
        const holding = Array.from({ length: 10 }, (_, digit) => nine * 10 + digit).filter(npiCheckDigitHolds)
        expect(holding).toHaveLength(1)
        expect(luhnHolds(`80840${holding[0]}`)).toBe(true)
      }),
    )
  })

  it('does not hold after one wrong digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 }), (place, more) => {
        const digits = '1234567893'.split('').map(Number)
        digits[place] = ((digits[place] ?? 0) + more) % 10
        expect(npiCheckDigitHolds(Number(digits.join('')))).toBe(false)
      }),
    )
  })

  it('is read from ten digits and nothing else', () => {
    expect(npiFromText('1234567893')).toBe(1234567893)
    expect(npiFromText('1234567890')).toBe(1234567890)
    for (const none of [
      '',
      '0',
      '0123456789',
      '123456789',
      '12345678931',
      '1234567893.0',
      ' 1234567893',
      '1e9',
    ])
      expect(npiFromText(none)).toBeUndefined()
  })

  it('is a ten-digit number in a request', () => {
    expect(Npi.parse(1234567890)).toBe(1234567890)
    for (const wrong of ['1234567893', 123456789, 12345678901, 1234567893.5, null])
      expect(Npi.safeParse(wrong).success).toBe(false)
    expect(Npi.safeParse(5).error?.issues[0]?.message).toBe('an NPI has ten digits')
  })
})

describe('a TIN', () => {
  it('is read from a payer file’s text, with or without the hyphen', () => {
    expect(tinFromText('12-3456789')).toBe('123456789')
    expect(tinFromText('012345678')).toBe('012345678')
    expect(tinFromText('1234567893')).toBe('1234567893')
    for (const none of [
      '',
      '0',
      '12345678',
      '000000000',
      '00-0000000',
      '0123456789',
      '12-345678',
      '1-23456789',
      '12345678901',
      'A23456789',
    ])
      expect(tinFromText(none)).toBeUndefined()
  })

  it('is the same after a walk through the interface, leading zeroes included', () => {
    const ein = fc.stringMatching(/^\d{9}$/).filter((text) => Number(text) > 0)
    const npi = fc.stringMatching(/^[1-9]\d{9}$/)
    fc.assert(
      fc.property(fc.oneof(ein, npi), (text) => {
        const tin = tinFromText(text)
        expect(tin).toBe(text)
        if (tin === undefined) return
        expect(tinFromNumber(TinNumber.parse(tinNumber(tin)))).toBe(tin)
        expect(tinTypeOf(tin)).toBe(text.length === 10 ? 'npi' : 'ein')
      }),
    )
    expect(tinNumber('012345678' as Tin)).toBe(12345678)
    expect(tinFromNumber(12345678)).toBe('012345678')
    expect(tinFromNumber(1)).toBe('000000001')
  })

  it('is refused where it cannot be one', () => {
    for (const wrong of [0, -1, 1.5, 10_000_000_000, '123456789', null])
      expect(TinNumber.safeParse(wrong).success).toBe(false)
  })
})

it('a CCN has six characters, letters in some places', () => {
  for (const ccn of ['050454', '45S033', '45TA38', '01014F', '21034E', 'A52001', '67Z304'])
    expect(Ccn.parse(ccn)).toBe(ccn)
  for (const wrong of ['50454', '0504544', '05o454', '45s033', '05045G', 'AA0454', 50454, ''])
    expect(Ccn.safeParse(wrong).success).toBe(false)
})

it('a ZIP code has five digits', () => {
  expect(ZipCode.parse('00501')).toBe('00501')
  for (const wrong of ['501', '00501-1234', 33101, '3310a'])
    expect(ZipCode.safeParse(wrong).success).toBe(false)
})
