import { describe, expect, it } from 'vitest'
import { readSettings, settingLines } from './config.ts'

const wrong: Readonly<Record<string, readonly string[]>> = {
  PORT: ['-1', '65536', '80.5', 'http'],
  RATEBOOK_DEMO: ['yes', 'true', 'ON'],
  RATEBOOK_BASE_URL: ['rates.example.org', 'ftp://rates.example.org', 'javascript:alert(1)'],
  RATEBOOK_DATABASE_URL: ['mysql://127.0.0.1/x', 'postgres', '/var/lib'],
  RATEBOOK_DATABASE_POOL: ['0', '1001'],
  RATEBOOK_SECRET: ['too short'],
  RATEBOOK_LOG_LEVEL: ['loud'],
  RATEBOOK_TRUST_PROXY: ['yes', '10.0.0.0/33', '10.0.0.256', '10.0.0.1,', '::1/129', '10.0.0.0/8/8'],
  RATEBOOK_BODY_LIMIT: ['0', '1MB'],
  RATEBOOK_REQUEST_TIMEOUT_MS: ['99'],
  RATEBOOK_ANSWER_TIMEOUT_MS: ['soon'],
  RATEBOOK_SHUTDOWN_MS: ['-1'],
  RATEBOOK_MAX_EVENT_LOOP_DELAY_MS: ['-1'],
  RATEBOOK_MAX_HEAP_BYTES: ['-1'],
  RATEBOOK_MAX_IN_FLIGHT: ['many'],
  RATEBOOK_METRICS: ['on'],
  RATEBOOK_SIGN_UP: ['maybe'],
  RATEBOOK_SIGN_UP_CREDITS: ['-5', '1.5'],
  RATEBOOK_RATE_PER_SECOND: ['0', '-1', 'Infinity', 'fast'],
  RATEBOOK_RATE_BURST: ['0'],
  RATEBOOK_PAGE_SIZE_MAX: ['0', '10001'],
  RATEBOOK_SESSION_HOURS: ['0'],
  RATEBOOK_SMTP_URL: ['mail.example.org', 'http://mail.example.org'],
  RATEBOOK_EXTRACTOR_URL: ['models.example.org/v1', 'file:///v1'],
  RATEBOOK_EXTRACTOR_TIMEOUT_MS: ['999', 'soon'],
  RATEBOOK_EXTRACTOR_CHARACTERS: ['999', '1000001'],
}

describe('settings', () => {
  it('have defaults for everything that can have one', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      RATEBOOK_DATA: './.ratebook',
      RATEBOOK_DEMO: true,
      RATEBOOK_SIGN_UP_CREDITS: 5,
      RATEBOOK_DATABASE_URL: undefined,
    })
  })

  it.each(Object.entries(wrong).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'refuses %s=%s by name',
    (name, value) => {
      expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^ {2}${name}: .+$`, 'm'))
    },
  )

  it('names every wrong one at once', () => {
    const all = Object.fromEntries(Object.entries(wrong).map(([name, [value]]) => [name, value]))
    let said = ''
    try {
      readSettings(all)
    } catch (error) {
      said = (error as Error).message
    }
    const named = said
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0])
    expect(new Set(named)).toEqual(new Set(Object.keys(wrong)))
  })

  it('takes what is right', () => {
    const right = {
      PORT: '0',
      RATEBOOK_DATABASE_URL: 'postgresql://user:pw@db/x?options=-c%20search_path%3Da',
      RATEBOOK_TRUST_PROXY: '10.0.0.0/8, ::1, 192.168.1.7',
      RATEBOOK_SMTP_URL: 'smtps://user:pw@mail.example.org:465',
      RATEBOOK_SIGN_UP: 'off',
      RATEBOOK_RATE_PER_SECOND: '0.5',
    }
    expect(readSettings(right)).toMatchObject({
      PORT: 0,
      RATEBOOK_SIGN_UP: false,
      RATEBOOK_RATE_PER_SECOND: 0.5,
      RATEBOOK_TRUST_PROXY: right.RATEBOOK_TRUST_PROXY,
    })
  })

  it('needs the model of a service that reads contracts', () => {
    const url = { RATEBOOK_EXTRACTOR_URL: 'https://models.example.org/v1' }
    expect(() => readSettings(url)).toThrow('RATEBOOK_EXTRACTOR_MODEL: needed with RATEBOOK_EXTRACTOR_URL')
    expect(readSettings({ ...url, RATEBOOK_EXTRACTOR_MODEL: 'reader' })).toMatchObject(url)
  })

  it('takes an empty value for none', () => {
    expect(readSettings({ PORT: '', RATEBOOK_SECRET: '', RATEBOOK_DEMO: '' })).toEqual(readSettings({}))
  })

  it('refuses names of ours that it does not know, and leaves other names alone', () => {
    expect(() => readSettings({ RATEBOOK_PROT: '1', RATEBOOK_constructor: '1' })).toThrow(
      /RATEBOOK_PROT: no such setting\n {2}RATEBOOK_constructor: no such setting/,
    )
    readSettings({ PATH: '/bin', RATEBOOK_TEST_DATABASE_URL: 'x', RATEBOOK_REAL_DATA: 'x' })
  })

  it('are shown with meaning and default, but a secret never with its value', () => {
    const secrets = {
      RATEBOOK_SECRET: 'the-very-secret-secret-of-32-characters',
      RATEBOOK_DATABASE_URL: 'postgres://user:database-password@db/x',
      RATEBOOK_SMTP_URL: 'smtp://user:mail-password@mail',
      RATEBOOK_EXTRACTOR_KEY: 'key-password',
    }
    const lines = settingLines({ ...secrets, PORT: '9090' })
    for (const { name, meaning } of lines) expect(`${name} ${meaning}`).toMatch(/ \S+ \S+/)
    expect(lines.find(({ name }) => name === 'PORT')).toMatchObject({
      value: '9090',
      default: '8080',
      set: true,
    })
    expect(lines.find(({ name }) => name === 'RATEBOOK_DEMO')).toMatchObject({ value: 'on', set: false })
    for (const name of Object.keys(secrets))
      expect(lines.find((line) => line.name === name)).toMatchObject({ value: '(set)', set: true })
    for (const value of Object.values(secrets)) expect(JSON.stringify(lines)).not.toContain(value)
  })
})
