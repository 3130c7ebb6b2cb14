import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { resetPassword, sendReset, sendVerification, verifyEmail } from './email-links.ts'
import type { Mail } from './mailer.ts'
import { openSession, sessionOf } from './sessions.ts'
import { setPassword, signUp, userByEmail, userByPassword } from './users.ts'

const noon = Date.parse('2026-06-01T12:00:00Z')
const hour = 3_600_000
const base = 'https://rates.example.org'

async function opened() {
  const records = await freshRecords()
  const { user } = await signUp(
    records,
    { email: 'ada@example.org', password: 'a long password', organization: 'Clinic' },
    5,
    noon,
  )
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const lastToken = () => /token=([\w-]+)/.exec(mails.at(-1)!.text)![1]!
  const reset = async (now = noon) => {
    await sendReset(records, mailer, base, user.email, now)
    return lastToken()
  }
  return { records, user, mails, mailer, lastToken, reset }
}

describe('a verification link', () => {
  it('proves the address, once', async () => {
    const { records, user, mailer, mails, lastToken } = await opened()
    await sendVerification(records, mailer, base, user, noon)
    expect(mails[0]).toMatchObject({ to: 'ada@example.org', subject: 'Confirm your e-mail address' })
    expect(mails[0]!.text).toContain(`${base}/verify-email?token=`)
    await verifyEmail(records, lastToken(), noon)
    expect(await userByEmail(records, user.email)).toMatchObject({ email_verified_at: noon })
    await expect(verifyEmail(records, lastToken(), noon)).rejects.toThrow('used already or is too old')
  })

  it('ends after seven days, and sets no password', async () => {
    const { records, user, mailer, lastToken } = await opened()
    await sendVerification(records, mailer, base, user, noon)
    await expect(resetPassword(records, lastToken(), 'stolen password', noon)).rejects.toThrow()
    await expect(verifyEmail(records, lastToken(), noon + 7 * 24 * hour)).rejects.toThrow('too old')
    await verifyEmail(records, lastToken(), noon + 7 * 24 * hour - 1)
  })
})

describe('a reset link', () => {
  it('sets a password once, proves the address and ends every session', async () => {
    const { records, user, reset } = await opened()
    const session = await openSession(records, user.id, hour, undefined, noon)
    const token = await reset()
    expect(await resetPassword(records, token, 'a new password', noon)).toBe(user.id)
    expect(await userByPassword(records, user.email, 'a new password')).toMatchObject({ emailVerified: true })
    expect(await sessionOf(records, session, hour, noon)).toBeUndefined()
    await expect(resetPassword(records, token, 'a third password', noon)).rejects.toThrow('used already')
  })

  it('works for one of those who use it at the same time', async () => {
    const { records, reset } = await opened()
    const token = await reset()
    const tries = await Promise.allSettled(
      ['first password', 'second password', 'third password'].map((text) =>
        resetPassword(records, token, text, noon),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('ends after an hour, and when the password is changed in another way', async () => {
    const { records, user, reset } = await opened()
    const old = await reset()
    await expect(resetPassword(records, old, 'a new password', noon + hour)).rejects.toThrow('too old')
    const newer = await reset()
    await resetPassword(records, newer, 'a new password', noon)
    await expect(resetPassword(records, old, 'an older link', noon)).rejects.toThrow('used already')
    const last = await reset()
    await setPassword(records, user.id, 'changed while logged in')
    await expect(resetPassword(records, last, 'a late link', noon)).rejects.toThrow('used already')
  })

  it('is not sent where there is no account, and nobody is told', async () => {
    const { records, mailer, mails } = await opened()
    await sendReset(records, mailer, base, 'nobody@example.org', noon)
    expect(mails).toEqual([])
  })
})
