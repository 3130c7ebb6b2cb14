import { describe, expect, it } from 'vitest'
import { priceList } from './service.ts'

describe('the price list', () => {
  it('is read from a line of settings', () => {
    expect(priceList('')).toEqual(new Map())
    expect(priceList(' marketBenchmarks = 2, npis=0,')).toEqual(
      new Map([
        ['marketBenchmarks', 2],
        ['npis', 0],
      ]),
    )
  })

  it.each([
    'npis',
    'npis=',
    'npis=-1',
    'npis=1.5',
    'npis=1e3',
    'nothing=1',
    'constructor=1',
    `npis=${'9'.repeat(400)}`,
  ])('refuses %s and names the setting', (text) => {
    expect(() => priceList(text)).toThrow(/^RATEBOOK_PRICES: /)
  })
})
