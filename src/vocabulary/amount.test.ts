import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountFromText, amountNumber, amountScale, amountText, halfUp } from './amount.ts'

/** The same reading done the slow way: shift the point in the text digit by digit, then look at the first digit left over. */
function slowAmount(text: string): bigint {
  const negative = text.startsWith('-')
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').toLowerCase().split('e')
  let [whole = '', fraction = ''] = mantissa.split('.')
  for (let shift = Number(exponent) + 4; shift !== 0; shift -= Math.sign(shift)) {
    if (shift > 0) {
      whole += fraction.charAt(0) || '0'
      fraction = fraction.slice(1)
    } else {
      fraction = (whole.at(-1) ?? '0') + fraction
      whole = whole.slice(0, -1)
    }
  }
  const rounded = BigInt(whole || '0') + (Number(fraction.charAt(0) || '0') >= 5 ? 1n : 0n)
  return negative ? -rounded : rounded
}

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`))
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(1, 12),
    fc.option(digits(1, 12)),
    fc.option(fc.integer({ min: -15, max: 15 })),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
  )

describe('reading a rate', () => {
  it.each([
    ['123.45', 1234500n],
    ['0', 0n],
    ['-0', 0n],
    ['1e3', 10000000n],
    ['1E+3', 10000000n],
    ['12.5e-1', 12500n],
    ['0.0001', 1n],
    ['-17.25', -172500n],
    ['33881.96', 338819600n],
    ['9999999999999.9999', 99999999999999999n],
    ['.5', 5000n],
    ['5.', 50000n],
    [' 7 ', 70000n],
    ['1e-400', 0n],
  ])('%s is %s ten-thousandths', (text, amount) => expect(amountFromText(text)).toBe(amount))

  it('rounds half away from zero at the fifth decimal, once', () => {
    expect(amountFromText('0.00005')).toBe(1n)
    expect(amountFromText('0.000049999999999999999999')).toBe(0n)
    expect(amountFromText('-0.00005')).toBe(-1n)
    expect(amountFromText('1.00015')).toBe(10002n)
    expect(amountFromText('1.00025')).toBe(10003n)
    expect(amountFromText('-1.00025')).toBe(-10003n)
    expect(amountFromText('1.000149')).toBe(10001n)
    expect(amountFromText('5e-5')).toBe(1n)
    expect(amountFromText('4e-5')).toBe(0n)
  })

  it.each([
    '',
    ' ',
    '.',
    '-',
    '+',
    'e5',
    '.e5',
    '1e',
    '1,234',
    '$5',
    '1 2',
    '0x10',
    'NaN',
    'Infinity',
    '--1',
    '1.2.3',
    '12px',
    '1e99999',
  ])('finds no number in "%s"', (text) => expect(amountFromText(text)).toBeUndefined())

  it('finds none in a text that no price can need', () => {
    expect(amountFromText('1'.repeat(1_000_000))).toBeUndefined()
  })

  it('agrees with the slow way', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(amountFromText(text)).toBe(slowAmount(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['bigint', 'undefined']).toContain(typeof amountFromText(text))
      }),
    )
  })
})

describe('printing a rate', () => {
  it('is exact and as short as can be', () => {
    expect(amountText(1234500n)).toBe('123.45')
    expect(amountText(-5n)).toBe('-0.0005')
    expect(amountText(70000n)).toBe('7')
    expect(amountText(0n)).toBe('0')
  })

  it('reads back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (amount) => {
        const text = amountText(amount)
        expect(amountFromText(text)).toBe(amount)
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,3}[1-9])?$/)
      }),
    )
  })

  it('is the number’s own text below 2^39 dollars', () => {
    const most = 2n ** 39n * amountScale - 1n
    fc.assert(
      fc.property(fc.bigInt({ min: -most, max: most }), (amount) => {
        expect(String(amountNumber(amount))).toBe(amountText(amount))
      }),
      { numRuns: 2000 },
    )
    expect(String(amountNumber(most))).toBe(amountText(most))
  })
})

it('sums never drift', () => {
  const dime = amountFromText('0.1') ?? 0n
  let total = 0n
  for (let i = 0; i < 1_000_000; i++) total += dime
  expect(amountText(total)).toBe('100000')
})

it('divides half up', () => {
  expect([0n, 1n, 2n, 3n, 4n, 5n].map((dividend) => halfUp(dividend, 2n))).toEqual([0n, 1n, 1n, 2n, 2n, 3n])
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      (dividend, divisor) => {
        const twice = 2n * (halfUp(dividend, divisor) * divisor - dividend)
        expect(twice <= divisor && twice > -divisor).toBe(true)
      },
    ),
  )
})
