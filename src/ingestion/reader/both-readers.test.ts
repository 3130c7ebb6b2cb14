import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { choices } from '../../../test/support/json-layout.ts'
import { stageDifferences } from '../../../test/support/stage-lines.ts'
import { readFile } from './reader.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratebook-both-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Choose = (below: number) => number

/** An NPI whose check digit holds. */
function validNpi(choose: Choose): number {
  const first = 100_000_000 + choose(800_000_000)
  const digits = [...String(first)].map(Number)
  const sum = digits.reduce((total, digit, place) => {
    const twice = digit * 2
    return total + (place % 2 === 1 ? digit : twice > 9 ? twice - 9 : twice)
  }, 24)
  return first * 10 + ((10 - (sum % 10)) % 10)
}

/** Mostly usual groups; every EIN prefix occurs, some EINs have their hyphen or are NPIs, some NPIs are texts, come twice or are none. */
function group(choose: Choose): string {
  const npis = Array.from({ length: 1 + choose(12) }, () => validNpi(choose))
  if (choose(10) === 0) npis.push(npis[0]!)
  if (choose(80) === 0) npis.push(1_234_567_890)
  const ein = String(100_000_000 + choose(899_999_999))
  const value = choose(10) === 0 ? `${ein.slice(0, 2)}-${ein.slice(2)}` : ein
  const name = choose(3) === 0 ? `,"business_name":"Group ${choose(500)} of ${choose(9)}"` : ''
  const kinds = [`"type":"ein","value":"${value}"`, `"type":"npi","value":"${npis[0]}"`]
  const tin = `"tin":{${kinds[choose(8) === 0 ? 1 : 0]}${name}}`
  const asTexts = choose(6) === 0
  const npi = `"npi":[${npis.map((number) => (asTexts ? `"${number}"` : number)).join(', ')}]`
  return choose(4) === 0 ? `{${tin},${npi}}` : `{${npi},${tin}}`
}

const list = (length: number, member: () => string | number) =>
  `[${Array.from({ length }, member).join(',')}]`

const networkLists = ['["North"]', '["North","South"]', '[null,"East"]']

function definition(id: string, choose: Choose): string {
  const number = `"provider_group_id":${id}`
  const groups = `"provider_groups":${list(id === '77' ? 900 : 1 + choose(4), () => group(choose))}`
  const networks = choose(5) > 0 ? `,"network_name":${networkLists[id.length % 3]}` : ''
  return choose(6) === 0 ? `{${groups},${number}${networks}}` : `{${number}${networks},${groups}}`
}

function price(choose: Choose, note: string): string {
  const about = note === '' ? '' : `,"additional_information":"${note}"`
  return `{"negotiated_type":"negotiated","negotiated_rate":${1 + choose(90_000) / 100},"expiration_date":"2027-01-01","service_code":["${11 + choose(3)}"],"billing_class":"professional"${about}}`
}

/**
 * A file that goes through all that the accelerated reader does on its own: definitions and lists in usual and unusual forms, lists that
 * never repeat and then do, findings beyond those that are told, and more of everything than a buffer holds.
 */
function printed(seed: number): Buffer {
  const choose = choices(seed)
  const ids = Array.from({ length: 500 }, (_, index) =>
    index % 50 === 49 ? `${index}.50` : index % 70 === 69 ? String(2_000_000 + index) : String(index),
  )
  const definitions = [...ids, '3', '4'].map((id) => definition(id, choose))
  const references = () => list(1 + choose(40), () => ids[choose(ids.length)]!)
  const known = Array.from({ length: 30 }, references)
  const knownGroups = Array.from({ length: 30 }, () => list(1 + choose(3), () => group(choose)))
  const rate = (item: number, place: number) => {
    const providers = [
      () => `"provider_references":${references()}`,
      () => `"provider_references":${known[choose(30)]}`,
      () => `"provider_groups":${list(1 + choose(3), () => group(choose))}`,
      () => `"provider_groups":${knownGroups[choose(30)]}`,
    ][item % 4]!()
    const prices = list(1 + choose(3), () =>
      price(
        choose,
        choose(3) === 0 ? '' : choose(2) === 0 ? 'as agreed' : `note ${item} ${place} ${choose(1e9)}`,
      ),
    )
    return choose(2) === 0
      ? `{${providers},"negotiated_prices":${prices}}`
      : `{"negotiated_prices":${prices},${providers}}`
  }
  const rates = (item: number) => {
    let place = 0
    return list(1_000, () => rate(item, place++))
  }
  const items = Array.from(
    { length: 16 },
    (_, item) =>
      `{"negotiation_arrangement":"ffs","billing_code_type":"CPT","billing_code":"${99_201 + item}","negotiated_rates":${rates(item)}}`,
  )
  return Buffer.from(
    `{"reporting_entity_name":"A","version":"2.0.0","provider_references":[${definitions.join(',')}],"in_network":[${items.join(',')}]}`,
  )
}

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('the two readers', () => {
  it.each([1, 2])('leave the same bytes of a file with everything in it: %i', async (seed) => {
    const bytes = printed(seed)
    const plain = await readFile(pieces(bytes, 1 << 18), join(folder, 'plain'), { plain: true })
    expect(plain.complete).toBe(true)
    expect(plain.rows.sets).toBeGreaterThan(7_000)
    expect(plain.findings.counts.ein_prefix).toBeGreaterThan(300)
    expect(plain.findings.counts.reference_repeated).toBeGreaterThan(300)
    expect(plain.findings.counts.npi_repeated).toBeGreaterThan(300)
    expect(plain.findings.counts.number_as_text).toBeGreaterThan(300)
    for (const size of [1 << 20, 100_003]) {
      expect(await readFile(pieces(bytes, size), join(folder, 'quick'))).toEqual(plain)
      expect(stageDifferences(join(folder, 'quick'), join(folder, 'plain'))).toEqual([])
      // Without a stage there is nothing to read back, and the verdict is the same.
      expect(await readFile(pieces(bytes, size), undefined)).toEqual(plain)
    }
  })
})
