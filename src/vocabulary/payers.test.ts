import { existsSync, globSync, openSync, readFileSync, readSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { states } from './enums.ts'
import { payerList } from './payers-list.ts'
import { extendPayers, foldedPayerName, Payer, PayerEntries, payerNamed, payerOf, payers } from './payers.ts'

const realData = process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../shared/data')
const payerFiles = join(realData, 'payer-files')

describe('the registry', () => {
  it('knows far more than the 63 payers of the interface document', () => {
    expect(payerList.length).toBeGreaterThanOrEqual(75)
    expect(new Set(payerList.map(({ payer }) => payer)).size).toBe(payerList.length)
  })

  it('names every state by its two letters', () => {
    const named = payerList.flatMap((entry) => entry.states)
    expect(named.filter((state) => !(states as readonly string[]).includes(state))).toEqual([])
  })

  it('has a payer for every state', () => {
    const served = new Set(payerList.flatMap((entry) => entry.states))
    expect(states.filter((state) => !['AS', 'GU', 'MP'].includes(state) && !served.has(state))).toEqual([])
  })

  it('gives no alias to two payers', () => {
    const owners = new Map<string, Set<string>>()
    for (const { payer, name, aliases } of payerList)
      for (const alias of [payer, name, ...aliases].map(foldedPayerName))
        owners.set(alias, (owners.get(alias) ?? new Set()).add(payer))
    expect([...owners].filter(([alias, of]) => of.size > 1 || alias.length < 2)).toEqual([])
  })

  it('lists payers by name', () => {
    const names = payers().map(({ payer }) => payer)
    expect(names).toEqual([...names].sort())
  })

  it('passes its own check for operators’ lists', () => {
    expect(PayerEntries.safeParse(payerList).error).toBeUndefined()
  })
})

describe('a name as files write it', () => {
  it.each([
    ['AETNA LIFE INSURANCE COMPANY', 'Aetna'],
    ['Aetna-Life-Insurance-Company', 'Aetna'],
    ['Blue Cross & Blue Shield of Texas, Inc.', 'Blue Cross Blue Shield of Texas'],
    ['BlueCross BlueShield of Texas', 'Blue Cross Blue Shield of Texas'],
    ['BCBS of Texas', 'Blue Cross Blue Shield of Texas'],
    ['Anthem® Blue Cross and Blue Shield (Ohio)', 'Anthem Blue Cross Blue Shield (Ohio)'],
    ['United HealthCare Services, Inc.', 'UnitedHealthcare'],
    ['Capital District Physicians’ Health Plan, Inc.', 'CDPHP'],
    ['Sierra-Health---Life---Nevada', 'Health Plan of Nevada'],
  ])('%s is %s', (text, payer) => expect(payerNamed(text)?.payer).toBe(payer))

  it('is nobody where nobody is meant', () => {
    for (const text of [
      '',
      'Inc.',
      'medicare',
      'cms',
      'Group Health Plan',
      'Comprehensive Health Insurance',
      'Blue Cross',
    ])
      expect(payerNamed(text)).toBeUndefined()
  })
})

describe('the payer of a request', () => {
  it('is an identifier of the list', () => expect(Payer.parse('Aetna')).toBe('Aetna'))

  it('is refused with its nearest neighbours', () => {
    const message = Payer.safeParse('Blue Cross Blue Shield of Texsa').error?.issues[0]?.message
    expect(message).toMatch(
      /^"Blue Cross Blue Shield of Texsa" is not a payer; nearest: "Blue Cross Blue Shield of Texas"/,
    )
    expect(Payer.safeParse(undefined).error?.issues[0]?.message).toBe('payer is missing')
    expect(Payer.safeParse(7).error?.issues[0]?.message).toBe('7 is not a payer: expected text')
  })
})

describe('an operator’s own payers', () => {
  it('are added', () => {
    extendPayers([
      { payer: 'Orchard Health', name: 'Orchard Health Plan', states: ['VT'], aliases: ['Orchard HMO'] },
    ])
    expect(payerOf('Orchard Health')?.states).toEqual(['VT'])
    expect(payerNamed('ORCHARD HMO, INC.')?.payer).toBe('Orchard Health')
    expect(Payer.parse('Orchard Health')).toBe('Orchard Health')
  })

  it('replace an entry by its identifier, old aliases included', () => {
    extendPayers([
      { payer: 'Orchard Health', name: 'Orchard', states: ['NH'], aliases: ['Orchard of New Hampshire'] },
    ])
    expect(payerOf('Orchard Health')?.states).toEqual(['NH'])
    expect(payerNamed('Orchard HMO')).toBeUndefined()
    expect(payerNamed('Orchard of New Hampshire, LLC')?.payer).toBe('Orchard Health')
    expect(payers().filter(({ payer }) => payer === 'Orchard Health')).toHaveLength(1)
  })

  it('outrank a built-in alias, and survive the other’s replacement', () => {
    extendPayers([
      { payer: 'Orchard Two', name: 'Orchard Two', states: [], aliases: ['Orchard of New Hampshire'] },
    ])
    extendPayers([{ payer: 'Orchard Health', name: 'Orchard', states: [], aliases: [] }])
    expect(payerNamed('Orchard of New Hampshire')?.payer).toBe('Orchard Two')
  })

  it('are refused where they are no list of payers', () => {
    expect(PayerEntries.safeParse([{ payer: 'X', name: 'X', states: ['Texas'] }]).success).toBe(false)
    expect(PayerEntries.safeParse([{ payer: '', name: 'X' }]).success).toBe(false)
    expect(PayerEntries.safeParse([{ payer: 'X', name: 'X', state: [] }]).success).toBe(false)
    expect(PayerEntries.parse([{ payer: 'X', name: 'X' }])).toEqual([
      { payer: 'X', name: 'X', states: [], aliases: [] },
    ])
  })
})

/** The first kilobytes of a file, unpacked: enough for reporting_entity_name. */
function opening(path: string): string {
  const bytes = Buffer.alloc(65_536)
  const file = openSync(path, 'r')
  const length = readSync(file, bytes)
  closeSync(file)
  const read = bytes.subarray(0, length)
  const text = path.endsWith('.gz') ? gunzipSync(read, { finishFlush: constants.Z_SYNC_FLUSH }) : read
  return text.subarray(0, 20_000).toString()
}

describe.skipIf(!existsSync(payerFiles))('real files (skipped where RATEBOOK_REAL_DATA is absent)', () => {
  const expected: Record<string, string> = {
    '2022-07-01_Evry-Health_allowed-amounts.json': 'Evry Health',
    '2022-08-05_Evry-Health_in-network-rates.json.gz': 'Evry Health',
    '2022-09-01_united-new-york_in-network.json.gz': 'UnitedHealthcare',
    '2023-11-07_Evry-Health_in-network-rates.json.gz': 'Evry Health',
    '2024-06-03_Evry-Health_in-network-rates.json.gz': 'Evry Health',
    'carefirst-in-network.json.gz': 'CareFirst',
    'index/2024-10-21_Blue-Cross-and-Blue-Shield-of-Texas_161531026_index.json':
      'Blue Cross Blue Shield of Texas',
    'index/fidelis_2025_index_sample.json': 'Centene',
  }

  it('are all in this test', () => {
    expect(globSync(['*.json', '*.gz', 'index/*.json'], { cwd: payerFiles }).sort()).toEqual(
      Object.keys(expected).sort(),
    )
  })

  it.each(Object.entries(expected))('%s is of %s', (path, payer) => {
    const [, name = ''] =
      /"reporting_entity_name"\s*:\s*"([^"]*)"/.exec(opening(join(payerFiles, path))) ?? []
    expect(payerNamed(name)?.payer).toBe(payer)
  })

  it('flattened Aetna rates are of Aetna', () => {
    const [, row = ''] = opening(join(payerFiles, 'flattened/Austin_Aetna_PPO_data.csv')).split('\n')
    const [, name = ''] = /,([^,]+),Health Insurance Issuer,/.exec(row) ?? []
    expect(payerNamed(name)?.payer).toBe('Aetna')
  })

  it('every Blue Cross affiliate is a payer of its state', () => {
    const rows = readFileSync(join(payerFiles, 'flattened/bcbs_affiliates_blues.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1)
    const unknown = rows
      .map((row) => row.split(','))
      .filter(([, , state = '', , name = '']) => !payerNamed(name)?.states.includes(state))
    expect(rows.length).toBe(62)
    expect(unknown).toEqual([])
  })

  it('every dated file name of UnitedHealthcare’s August 2025 index begins with a known payer', () => {
    const lines = readFileSync(join(payerFiles, 'index/uhc_2025-08_in_network_file_urls.txt'), 'utf8')
      .trim()
      .split('\n')
    const names = new Set(lines.flatMap((line) => /\/\d{4}-\d\d-\d\d_([^_/]+)_[^/]*$/.exec(line)?.[1] ?? []))
    const known = new Set([...names].map((name) => payerNamed(name)?.payer ?? `unknown: ${name}`))
    expect([...known].sort()).toEqual([
      'Health Plan of Nevada',
      'HealthSCOPE Benefits',
      'Medica',
      'Oxford Health Plans',
      'Rocky Mountain Health Plans',
      'Surest',
      'UMR',
      'UnitedHealthcare',
    ])
  })
})
