import { describe, expect, it } from 'vitest'
import { addressKey, addressName, addressWithoutToken, textWithoutTokens } from './address.ts'

describe('an address without its token', () => {
  it('loses the parameters that grant access', () => {
    const signed =
      'https://bcbstx.mrf.bcbs.com/2024-11_102_11B0_in-network-rates_1_of_6.json.gz?&Expires=1734789642&Signature=uajoGMD16BeU4jTB~x__&Key-Pair-Id=K27TQMT39R1C8A'
    expect(addressWithoutToken(signed)).toBe(
      'https://bcbstx.mrf.bcbs.com/2024-11_102_11B0_in-network-rates_1_of_6.json.gz',
    )
  })

  it.each([
    'X-Amz-Signature=ab',
    'sig=ab%2Bcd',
    'se=2025-01-01',
    'access_token=x',
    'user_auth=x',
    `v=${'a1'.repeat(20)}`,
  ])('drops %s', (parameter) => {
    expect(addressWithoutToken(`https://h.example/f.json?${parameter}`)).toBe('https://h.example/f.json')
  })

  it('keeps the parameters that name the file', () => {
    expect(addressWithoutToken('https://h.example/get?file=a%20b.json&month=5&sig=1')).toBe(
      'https://h.example/get?file=a%20b.json&month=5',
    )
  })

  it('loses user, password and fragment', () => {
    expect(addressWithoutToken('https://u:p@h.example/f.json#x')).toBe('https://h.example/f.json')
  })

  it('is the same file when signed anew', () => {
    expect(addressKey('https://h.example/f?Signature=1')).toBe(addressKey('https://h.example/f?Signature=2'))
  })

  it('cleans addresses inside text', () => {
    expect(textWithoutTokens('GET https://h.example/f?sig=abc failed (https://h.example/?token=z)')).toBe(
      'GET https://h.example/f failed (https://h.example/)',
    )
  })
})

describe('a file name', () => {
  it.each([
    [
      'https://h.example/a/2025-08-01_x_in-network-rates.json.gz?sig=1',
      '2025-08-01_x_in-network-rates.json.gz',
    ],
    ['https://h.example/download?fn=2025-08-01_x.json', '2025-08-01_x.json'],
    ['/tmp/a/b.json', 'b.json'],
  ])('%s ends in %s', (address, name) => expect(addressName(address)).toBe(name))
})
