import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PayerFile, ProviderGroup } from './payer-file.ts'

type Row = readonly (number | readonly number[])[]

/** Writes a payer file as the reader would stage it: flat columns beside a header.json. Offsets are made up but ascend. */
export function writeStage(folder: string, file: PayerFile): void {
  const texts = new Interned<string>([''])
  const lists = new Interned<readonly number[]>([[]])
  const attributes = new Interned<Row>()
  const groups = new Interned<Row>()
  const references = new Interned<number>()
  const sets = new Interned<Row>([[[], []]])
  const list = (values: readonly string[] = []) =>
    lists.id([...new Set(values)].sort().map((value) => texts.id(value)))
  const group = ({ npi, tin }: ProviderGroup) => {
    const npis = [...new Set(npi)].filter((value) => value !== 0).sort((a, b) => a - b)
    const flags = 1 | (npi.length === 1 && npi[0] === 0 ? 2 : 0)
    return groups.id([
      texts.id(tin.type),
      texts.id(tin.value),
      texts.id(tin.business_name ?? ''),
      flags,
      npis,
    ])
  }
  const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)

  const definitions: number[][] = []
  const definitionGroups: number[][] = []
  const defined = new Set<number>()
  for (const reference of file.provider_references ?? []) {
    const id = references.id(reference.provider_group_id)
    defined.add(id)
    definitionGroups.push(ascending(reference.provider_groups.map(group)))
    definitions.push([id, list(reference.network_name), 0, definitions.length * 100])
  }
  const used = new Set<number>()
  const items: number[][] = []
  const rates: number[][] = []
  const prices: number[][] = []
  for (const [index, item] of file.in_network.entries()) {
    for (const [rateIndex, rate] of item.negotiated_rates.entries()) {
      const named = ascending((rate.provider_references ?? []).map((id) => references.id(id)))
      for (const id of named) used.add(id)
      const set = sets.id([named, ascending((rate.provider_groups ?? []).map(group))])
      rates.push([rateIndex, 10_000 * (index + 1) + 10 * rateIndex, set, rate.negotiated_prices.length])
      for (const price of rate.negotiated_prices)
        prices.push([
          attributes.id([
            texts.id(price.negotiated_type),
            texts.id(price.billing_class),
            texts.id(price.setting ?? ''),
            texts.id('9999-12-31'),
            list(price.service_code),
            list(price.billing_code_modifier),
          ]),
          Math.round(price.negotiated_rate * 10_000),
        ])
    }
    items.push([
      index,
      10_000 * (index + 1),
      texts.id(item.billing_code_type),
      texts.id(item.billing_code),
      texts.id(item.severity_of_illness ?? ''),
      rates.length,
      prices.length,
    ])
  }

  mkdirSync(folder, { recursive: true })
  const column = (table: string, name: string, type: 'u8' | 'u32' | 'i64', values: readonly number[]) => {
    const bytes =
      type === 'u8'
        ? Uint8Array.from(values)
        : new Uint8Array(
            (type === 'u32' ? Uint32Array.from(values) : BigInt64Array.from(values, BigInt)).buffer,
          )
    writeFileSync(join(folder, `${table}.${name}.${type}`), bytes)
  }
  const columns = (table: string, rows: readonly Row[], names: readonly [string, 'u8' | 'u32' | 'i64'][]) => {
    for (const [at, [name, type]] of names.entries())
      column(
        table,
        name,
        type,
        rows.map((row) => row[at] as number),
      )
  }
  const lengths = (
    table: string,
    name: string,
    type: 'u32' | 'i64',
    values: readonly (readonly number[])[],
    end = `${name}_end`,
  ) => {
    let sum = 0
    column(
      table,
      end,
      'i64',
      values.map((value) => (sum += value.length)),
    )
    column(table, name, type, values.flat())
  }
  const bytes = texts.values.map((text) => [...Buffer.from(text)])
  let textEnd = 0
  column(
    'texts',
    'end',
    'i64',
    bytes.map((text) => (textEnd += text.length)),
  )
  column('texts', 'bytes', 'u8', bytes.flat())
  lengths('lists', 'texts', 'u32', lists.values, 'end')
  columns('attributes', attributes.values, [
    ['negotiated_type', 'u32'],
    ['billing_class', 'u32'],
    ['setting', 'u32'],
    ['expiration_date', 'u32'],
    ['service_codes', 'u32'],
    ['modifiers', 'u32'],
  ])
  columns('groups', groups.values, [
    ['tin_type', 'u32'],
    ['tin', 'u32'],
    ['business_name', 'u32'],
    ['flags', 'u8'],
  ])
  lengths(
    'groups',
    'npis',
    'i64',
    groups.values.map((row) => row[4] as number[]),
  )
  column(
    'references',
    'id',
    'u32',
    references.values.map((id) => texts.id(String(id))),
  )
  column(
    'references',
    'flags',
    'u8',
    references.values.map((_, id) => (defined.has(id) ? 1 : 0) | (used.has(id) ? 2 : 0)),
  )
  columns('definitions', definitions, [
    ['reference', 'u32'],
    ['networks', 'u32'],
    ['location', 'u32'],
    ['offset', 'i64'],
  ])
  lengths('definitions', 'groups', 'u32', definitionGroups)
  lengths(
    'sets',
    'references',
    'u32',
    sets.values.map((row) => row[0] as number[]),
  )
  lengths(
    'sets',
    'groups',
    'u32',
    sets.values.map((row) => row[1] as number[]),
  )
  columns('items', items, [
    ['index', 'u32'],
    ['offset', 'i64'],
    ['code_type', 'u32'],
    ['code', 'u32'],
    ['severity_of_illness', 'u32'],
    ['rates_end', 'i64'],
    ['prices_end', 'i64'],
  ])
  columns('rates', rates, [
    ['index', 'u32'],
    ['offset', 'i64'],
    ['set', 'u32'],
    ['prices', 'u32'],
  ])
  columns('prices', prices, [
    ['attributes', 'u32'],
    ['amount', 'i64'],
  ])
  const rows = {
    texts: texts.values.length,
    lists: lists.values.length,
    attributes: attributes.values.length,
    groups: groups.values.length,
    references: references.values.length,
    definitions: definitions.length,
    sets: sets.values.length,
    items: items.length,
    rates: rates.length,
    prices: prices.length,
  }
  writeFileSync(
    join(folder, 'header.json'),
    JSON.stringify({ format: 1, kind: 'in-network', complete: true, rows }),
  )
}

class Interned<Value> {
  readonly values: Value[] = []
  private readonly ids = new Map<string, number>()

  constructor(first: readonly Value[] = []) {
    for (const value of first) this.id(value)
  }

  id(value: Value): number {
    const key = JSON.stringify(value)
    let id = this.ids.get(key)
    if (id === undefined) this.ids.set(key, (id = this.values.push(value) - 1))
    return id
  }
}
