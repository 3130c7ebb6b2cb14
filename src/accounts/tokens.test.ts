import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { newToken, sameSecret, signature, signingSecret, tokenHash } from './tokens.ts'

describe('tokens', () => {
  it('have 256 random bits and are kept as their SHA-256', () => {
    const tokens = Array.from({ length: 1_000 }, () => newToken())
    expect(new Set(tokens).size).toBe(1_000)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(tokenHash('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
  })

  it('are compared whole', () => {
    expect(sameSecret('abc', 'abc')).toBe(true)
    for (const other of ['abd', 'ab', 'abcd', '', 'äbc']) expect(sameSecret('abc', other)).toBe(false)
  })

  it('sign with a secret: another secret or text makes another signature', () => {
    const made = signature('secret', 'text')
    expect(signature('secret', 'text')).toBe(made)
    expect(new Set([made, signature('secret2', 'text'), signature('secret', 'text2')]).size).toBe(3)
  })

  it('sign with the configured secret, else with one that is made once and kept', async () => {
    const records = await freshRecords()
    expect(await signingSecret(records, 'the configured secret')).toBe('the configured secret')
    const made = await Promise.all(Array.from({ length: 5 }, () => signingSecret(records, undefined)))
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toMatch(/^[\w-]{43}$/)
  })
})
