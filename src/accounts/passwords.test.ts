import { describe, expect, it } from 'vitest'
import { passwordHash, passwordHolds } from './passwords.ts'

const timeMs = async (deed: () => Promise<unknown>) => {
  const started = performance.now()
  await deed()
  return performance.now() - started
}

describe('passwords', () => {
  it('are kept in the PHC text form, salted', async () => {
    const hashes = [await passwordHash('correct horse'), await passwordHash('correct horse')]
    for (const hash of hashes)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(hashes[0]).not.toBe(hashes[1])
  })

  it('hold when they are right, and only then', async () => {
    const hash = await passwordHash('pässwörd 🔑')
    expect(await passwordHolds('pässwörd 🔑', hash)).toBe(true)
    for (const wrong of ['', 'pässwörd', 'Pässwörd 🔑', 'pässwörd 🔑 '])
      expect(await passwordHolds(wrong, hash)).toBe(false)
  })

  it('hold by the cost that their hash names, so that the cost can be raised later', async () => {
    const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$'
    expect(await passwordHolds('x', `${cheap}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`)).toBe(false)
    expect(await passwordHolds('x', 'not a hash')).toBe(false)
  })

  it('take as long for somebody who has no account', async () => {
    const hash = await passwordHash('a long password')
    await passwordHolds('warm', hash)
    const known: number[] = []
    const unknown: number[] = []
    for (let at = 0; at < 7; at++) {
      known.push(await timeMs(() => passwordHolds('wrong', hash)))
      unknown.push(await timeMs(() => passwordHolds('wrong', undefined)))
    }
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })
})
