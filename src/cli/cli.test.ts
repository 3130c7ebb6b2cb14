import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshStore } from '../../test/support/service.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'ratebook.js')

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command line as a user does, in a process of its own. */
function ratebook(env: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...words],
      { env: { PATH: process.env['PATH'], ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

const json = ({ out }: Ended) => JSON.parse(out) as Record<string, unknown>

/** A running server on the same store; stopped when the test ends. */
async function served(env: Readonly<Record<string, string>>) {
  const server = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env['PATH'], PORT: '0', RATEBOOK_LOG_LEVEL: 'silent', RATEBOOK_DEMO: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit') as Promise<[number | null]>
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await ended
  })
  for await (const line of createInterface(server.stdout)) {
    const [, url] = /listens on (\S+)/.exec(line) ?? []
    if (url) return { url, server, ended }
  }
  throw new Error('The server ended before it listened.')
}

const create = ['accounts', 'create', '--email', 'ada@example.org', '--organization', 'Clinic']

// Every line of these tests is a process that starts; a busy machine may take seconds for each.
describe('ratebook', { timeout: 180_000 }, () => {
  it('makes an account whose key works on a server that is running on the same store', async () => {
    const store = await freshStore()
    const { url, server, ended } = await served(store)
    const made = await ratebook(store, ...create, '--credits', '2', '--json')
    expect([made.code, made.err]).toEqual([0, ''])
    const { apiKey, organization } = json(made) as { apiKey: string; organization: { id: string } }
    expect(apiKey).toMatch(/^rb_/)
    expect(organization).toMatchObject({ name: 'Clinic', credits: 2 })
    const call = async () =>
      (await fetch(`${url}/api/v1/payers`, { headers: { authorization: `Bearer ${apiKey}` } })).status
    expect([await call(), await call(), await call()]).toEqual([200, 200, 402])

    expect(json(await ratebook(store, 'accounts', 'grant', 'Clinic', '3', '--json'))).toMatchObject({
      credits: 3,
    })
    expect(await call()).toBe(200)
    await ratebook(store, 'accounts', 'suspend', 'Clinic')
    expect(await call()).toBe(403)
    await ratebook(store, 'accounts', 'resume', 'Clinic')
    await ratebook(store, 'accounts', 'revoke', 'Clinic', apiKey.slice(0, 12))
    expect(await call()).toBe(401)

    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('lists, shows, limits and adds users and keys', async () => {
    const store = await freshStore()
    expect((await ratebook(store, ...create)).out).toMatch(/API key rb_\S+ \(shown this once\)/)
    expect(
      json(await ratebook(store, 'accounts', 'limits', 'Clinic', '--rate', '2.5', '--burst', '9', '--json')),
    ).toMatchObject({ ratePerSecond: 2.5, rateBurst: 9, pageSizeMax: null, credits: 5 })
    expect(
      json(await ratebook(store, 'accounts', 'limits', 'Clinic', '--burst', 'default', '--json')),
    ).toMatchObject({ ratePerSecond: 2.5, rateBurst: null })
    expect(json(await ratebook(store, 'accounts', 'tools', 'Clinic', 'a, b', '--json'))).toMatchObject({
      tools: ['a', 'b'],
    })
    expect(
      json(await ratebook(store, 'accounts', 'user', 'Clinic', '--email', 'bob@example.org', '--json')),
    ).toMatchObject({ role: 'member' })
    const { key } = json(
      await ratebook(
        store,
        'accounts',
        'key',
        'ada@example.org',
        '--groups',
        'Payer',
        '--expires',
        '2030-01-01',
        '--json',
      ),
    )
    expect(key).toMatchObject({ groups: ['Payer'], expiresAt: Date.parse('2030-01-01') })
    const shown = json(await ratebook(store, 'accounts', 'show', 'Clinic', '--json'))
    expect(shown).toMatchObject({
      members: [
        { email: 'ada@example.org', role: 'admin' },
        { email: 'bob@example.org', role: 'member' },
      ],
    })
    expect(JSON.stringify(shown)).not.toContain('hash')
    expect(json(await ratebook(store, 'accounts', 'list', '--json'))).toHaveLength(1)
  })

  it('exits with 1 and one sentence when it cannot do what was asked', async () => {
    const store = await freshStore()
    await ratebook(store, ...create)
    for (const [words, says] of [
      [create, 'ratebook: This address has an account already. Log in, or reset the password.\n'],
      [
        ['accounts', 'show', 'Nobody'],
        'ratebook: No organisation has the id, the name or a member "Nobody".\n',
      ],
      [['accounts', 'grant', 'Clinic', '0'], 'ratebook: Grant a whole number of credits above zero.\n'],
      [['accounts', 'revoke', 'Clinic', 'rb_nothing'], 'ratebook: Clinic has no key rb_nothing.\n'],
    ] as const)
      expect(await ratebook(store, ...words)).toEqual({ code: 1, out: '', err: says })
    const badSetting = await ratebook({ ...store, RATEBOOK_PROT: '1' }, 'accounts', 'list')
    expect(badSetting).toMatchObject({
      code: 1,
      err: expect.stringContaining('RATEBOOK_PROT: no such setting') as string,
    })
  })

  it('exits with 2 and a hint when it is used wrongly', async () => {
    const store = await freshStore()
    for (const [words, says] of [
      [['no-such-command'], 'unknown command'],
      [['accounts', 'create', '--email', 'ada', '--organization', 'x'], 'Expected an e-mail address.'],
      [[...create, '--credits', '99999999999999999999'], 'Expected a whole number.'],
      [['accounts', 'grant', 'Clinic', 'many'], 'Expected a whole number.'],
      [['accounts', 'limits', 'Clinic', '--page-size-max', '10001'], 'at most 10000'],
      [['accounts', 'key', 'Clinic', '--expires', '2026-02-30'], 'YYYY-MM-DD'],
    ] as const) {
      const { code, err } = await ratebook(store, ...words)
      expect([words, code, err]).toEqual([words, 2, expect.stringContaining(says)])
    }
  })

  it('exits with 0 for help and version, and prints every setting without its secrets', async () => {
    const help = await ratebook({}, '--help')
    expect([help.code, help.out]).toEqual([
      0,
      expect.stringMatching(/serve[\s\S]+migrate[\s\S]+accounts[\s\S]+config/),
    ])
    expect(await ratebook({}, '--version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    })
    const config = await ratebook(
      { RATEBOOK_SMTP_URL: 'smtp://u:hidden-password@mail', PORT: '99' },
      'config',
    )
    expect(config.code).toBe(0)
    expect(config.out).toContain('PORT=99  (set; default 8080)')
    expect(config.out).toContain('RATEBOOK_SMTP_URL=(set)')
    expect(config.out).not.toContain('hidden-password')
  })
})
