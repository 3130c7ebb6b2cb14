import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ProviderAttributes } from '../src/warehouse/provider-attributes.ts'

/** How much data to make. */
export interface Scale {
  readonly prices: number
  /** Mean number of NPIs in a provider set. */
  readonly setSize: number
  readonly providers: number
  readonly payers: number
  readonly codes: number
}

export const states = [
  'AL',
  'AZ',
  'CA',
  'CO',
  'CT',
  'FL',
  'GA',
  'IL',
  'IN',
  'KY',
  'LA',
  'MA',
  'MD',
  'MI',
  'MN',
  'MO',
  'NC',
  'NJ',
  'NY',
  'OH',
  'OK',
  'OR',
  'PA',
  'SC',
  'TN',
  'TX',
  'UT',
  'VA',
  'WA',
  'WI',
]
export const taxonomies = Array.from(
  { length: 200 },
  (_, i) => `${(200 + i) % 1000}X${String(i).padStart(5, '0')}X`,
)
export const payerNames = (payers: number) =>
  Array.from({ length: payers }, (_, i) => `Payer ${String(i).padStart(2, '0')}`)
export const codeText = (code: number) => String(10_000 + code)
export const npiOf = (provider: number) => 1_000_000_000 + provider * 7
const npisPerTin = 10

/** A small generator of numbers that gives the same data on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const stateOfTin = (tin: number) => (tin * 7919) % states.length
const taxonomyOf = (provider: number) => (Math.imul(provider, 2_654_435_761) >>> 8) % taxonomies.length

/** The provider directory: ten NPIs per TIN, a TIN within one state. */
export function directoryOf({ providers }: Scale, codes: readonly string[] = taxonomies): ProviderAttributes {
  const attributes = new ProviderAttributes('bench', providers)
  for (let provider = 0; provider < providers; provider++) {
    const tin = Math.floor(provider / npisPerTin)
    attributes.add({
      npi: npiOf(provider),
      state: states[stateOfTin(tin)]!,
      zip: String(10_000 + (tin % 80_000)).slice(0, 5),
      taxonomy: codes[taxonomyOf(provider)]!,
      entityType: provider % npisPerTin === 0 ? 'group' : 'individual',
    })
  }
  return attributes
}

const terms = [
  ['negotiated', 'professional', '11', ''],
  ['negotiated', 'professional', '22', ''],
  ['negotiated', 'professional', '11', '26'],
  ['negotiated', 'institutional', '', ''],
  ['fee schedule', 'professional', 'CSTM-00', ''],
  ['percentage', 'institutional', '', ''],
] as const

/**
 * Writes one payer's month as the reader would stage it: references of one TIN each, sets of some references of one state,
 * two prices per rate object, log-normal rates in whole cents.
 */
export function writePayerStage(folder: string, scale: Scale, payer: number): void {
  mkdirSync(folder, { recursive: true })
  const random = randomFrom(payer * 1_000 + 17)
  const pricesHere = Math.floor(scale.prices / scale.payers)
  const tins = Math.floor(scale.providers / npisPerTin)
  const groupsPerSet = Math.max(1, Math.round(scale.setSize / npisPerTin))
  const setCount = Math.max(50, Math.round(pricesHere / 200))
  const stage = new StageWriter(folder)

  // Six tenths of all TINs are in this payer's network, some of them without one of their providers.
  const groupTin: number[] = []
  const groupSkips: number[] = []
  const byState: number[][] = states.map(() => [])
  for (let tin = 0; tin < tins; tin++)
    if (random() < 0.6) {
      byState[stateOfTin(tin)]!.push(groupTin.length)
      groupTin.push(tin)
      groupSkips.push(random() < 0.2 ? 1 + Math.floor(random() * 9) : 0)
    }
  stage.texts = ['', 'ein', ...groupTin.map((tin) => String(100_000_000 + tin))]
  const textId = (text: string) => stage.textId(text)
  const groups = groupTin.length
  stage.u32('groups', 'tin_type', groups, () => 1)
  stage.u32('groups', 'tin', groups, (group) => 2 + group)
  stage.u32('groups', 'business_name', groups, () => 0)
  stage.u8('groups', 'flags', groups, () => 1)
  let npisEnd = 0
  stage.i64('groups', 'npis_end', groups, (group) => (npisEnd += npisPerTin - (groupSkips[group] ? 1 : 0)))
  stage.i64List('groups', 'npis', (push) => {
    for (let group = 0; group < groups; group++)
      for (let member = 0; member < npisPerTin; member++)
        if (!groupSkips[group] || member !== groupSkips[group])
          push(npiOf(groupTin[group]! * npisPerTin + member))
  })
  stage.u32('references', 'id', groups, () => 0)
  stage.u32('definitions', 'reference', groups, (group) => group)
  stage.i64('definitions', 'groups_end', groups, (group) => group + 1)
  stage.u32('definitions', 'groups', groups, (group) => group)
  stage.u32('definitions', 'networks', groups, () => 0)
  stage.u32('definitions', 'location', groups, () => 0)

  const sets: number[][] = [[]]
  for (let set = 1; set <= setCount; set++) {
    const local = byState[Math.floor(random() * states.length)]!
    const wanted = Math.max(1, Math.round(groupsPerSet * (0.2 + 1.6 * random())))
    const members = new Set<number>()
    while (members.size < Math.min(wanted, local.length))
      members.add(local[Math.floor(random() * local.length)]!)
    sets.push([...members].sort((a, b) => a - b))
  }
  const used = new Set(sets.flat())
  stage.u8('references', 'flags', groups, (group) => (used.has(group) ? 3 : 1))
  let referencesEnd = 0
  stage.i64('sets', 'references_end', sets.length, (set) => (referencesEnd += sets[set]!.length))
  stage.u32List('sets', 'references', (push) => {
    for (const set of sets) for (const group of set) push(group)
  })
  stage.i64('sets', 'groups_end', sets.length, () => 0)
  stage.u32('sets', 'groups', 0, () => 0)

  const listId = new Map([['', 0]])
  const lists: string[] = ['']
  for (const [, , place, modifier] of terms)
    for (const text of [place, modifier]) if (!listId.has(text)) listId.set(text, lists.push(text) - 1)
  stage.i64('lists', 'end', lists.length, (list) => list)
  stage.u32('lists', 'texts', lists.length - 1, (list) => textId(lists[list + 1]!))
  stage.u32('attributes', 'negotiated_type', terms.length, (term) => textId(terms[term]![0]))
  stage.u32('attributes', 'billing_class', terms.length, (term) => textId(terms[term]![1]))
  stage.u32('attributes', 'setting', terms.length, () => 0)
  stage.u32('attributes', 'expiration_date', terms.length, () => 0)
  stage.u32('attributes', 'service_codes', terms.length, (term) => listId.get(terms[term]![2])!)
  stage.u32('attributes', 'modifiers', terms.length, (term) => listId.get(terms[term]![3])!)

  const ratesPerItem = Math.max(1, Math.round(pricesHere / scale.codes / 2))
  const rates = ratesPerItem * scale.codes
  stage.u32('items', 'index', scale.codes, (item) => item)
  stage.u32('items', 'code_type', scale.codes, () => textId('CPT'))
  stage.u32('items', 'code', scale.codes, (item) => textId(codeText(item)))
  stage.u32('items', 'severity_of_illness', scale.codes, () => 0)
  stage.i64('items', 'rates_end', scale.codes, (item) => (item + 1) * ratesPerItem)
  stage.i64('items', 'prices_end', scale.codes, (item) => (item + 1) * ratesPerItem * 2)
  stage.u32('rates', 'index', rates, (rate) => rate % ratesPerItem)
  stage.i64('rates', 'offset', rates, (rate) => 1_000_000 + rate * 310)
  stage.u32('rates', 'set', rates, () => 1 + Math.floor(random() * setCount))
  stage.u32('rates', 'prices', rates, () => 2)
  stage.u32('prices', 'attributes', rates * 2, (price) => (price % 2) * 3 + Math.floor(random() * 3))
  stage.i64('prices', 'amount', rates * 2, (price) => {
    const item = Math.floor(price / (ratesPerItem * 2))
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(1, Math.round((40 + (item % 977)) * Math.exp(0.4 * normal) * 100)) * 100
  })
  stage.finish({
    groups,
    references: groups,
    definitions: groups,
    sets: sets.length,
    lists: lists.length,
    attributes: terms.length,
    items: scale.codes,
    rates,
    prices: rates * 2,
  })
}

type Fill = (push: (value: number) => void) => void

class StageWriter {
  texts: string[] = ['']
  private readonly folder: string
  private ids: Map<string, number> | undefined

  constructor(folder: string) {
    this.folder = folder
  }

  textId(text: string): number {
    this.ids ??= new Map(this.texts.map((known, id) => [known, id]))
    let id = this.ids.get(text)
    if (id === undefined) this.ids.set(text, (id = this.texts.push(text) - 1))
    return id
  }

  u8(table: string, column: string, rows: number, value: (row: number) => number): void {
    writeFileSync(
      join(this.folder, `${table}.${column}.u8`),
      Uint8Array.from({ length: rows }, (_, row) => value(row)),
    )
  }

  u32(table: string, column: string, rows: number, value: (row: number) => number): void {
    this.u32List(table, column, (push) => {
      for (let row = 0; row < rows; row++) push(value(row))
    })
  }

  i64(table: string, column: string, rows: number, value: (row: number) => number): void {
    this.i64List(table, column, (push) => {
      for (let row = 0; row < rows; row++) push(value(row))
    })
  }

  u32List(table: string, column: string, fill: Fill): void {
    this.write(`${table}.${column}.u32`, 1, fill)
  }

  i64List(table: string, column: string, fill: Fill): void {
    this.write(`${table}.${column}.i64`, 2, fill)
  }

  private write(name: string, words: 1 | 2, fill: Fill): void {
    const file = openSync(join(this.folder, name), 'w')
    const window = new Uint32Array(1 << 16)
    let filled = 0
    const flush = () => {
      writeSync(file, new Uint8Array(window.buffer, 0, filled * 4))
      filled = 0
    }
    fill((value) => {
      window[filled++] = value >>> 0
      if (words === 2) window[filled++] = Math.floor(value / 0x1_0000_0000)
      if (filled === window.length) flush()
    })
    flush()
    closeSync(file)
  }

  finish(rows: Record<string, number>): void {
    const bytes = this.texts.map((text) => Buffer.from(text))
    let end = 0
    this.i64('texts', 'end', bytes.length, (text) => (end += bytes[text]!.length))
    writeFileSync(join(this.folder, 'texts.bytes.u8'), Buffer.concat(bytes))
    writeFileSync(
      join(this.folder, 'header.json'),
      JSON.stringify({
        format: 1,
        kind: 'in-network',
        complete: true,
        rows: { ...rows, texts: bytes.length },
      }),
    )
  }
}
