import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'

/**
 * How a generated in-network file is laid out. `references`: provider_references before the rates. `references-last`: after them.
 * `inline`: provider groups inside each rate. `unique`: nothing repeats, neither lists nor texts.
 */
export type Shape = 'references' | 'references-last' | 'inline' | 'unique'

const chunkLength = 1 << 20

/**
 * Writes a gzipped in-network file of about so many bytes of JSON, always the same for the same arguments. It has three members at
 * least: what comes before the items, the items, what comes behind them. Items of `distinctBytes` differ; a larger file has those
 * again and again, which compresses no better (deflate looks 32 kB back) and is much sooner made.
 */
export async function generatedFile(
  path: string,
  shape: Shape,
  bytes: number,
  distinctBytes: number,
): Promise<void> {
  if (existsSync(path)) return
  const times = Math.ceil(bytes / distinctBytes)
  const { head, items, tail } = parts(shape, bytes / times)
  const body = `${path}.items`
  await gzipped(items, body, 'w')
  const fresh = `${path}.new`
  await gzipped([head], fresh, 'w')
  for (let time = 0; time < times; time++) {
    if (time > 0) await gzipped([',\n'], fresh, 'a')
    await pipeline(createReadStream(body), createWriteStream(fresh, { flags: 'a' }))
  }
  await gzipped([tail], fresh, 'a')
  await rm(body)
  await rename(fresh, path)
}

async function gzipped(text: Iterable<string>, path: string, flags: string): Promise<void> {
  const gzip = spawn('gzip', ['-6', '-c', '-n'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const done = once(gzip, 'exit')
  await Promise.all([
    pipeline(Readable.from(chunks(text), { objectMode: false }), gzip.stdin),
    pipeline(gzip.stdout, createWriteStream(path, { flags })),
  ])
  await done
}

function* chunks(parts: Iterable<string>): Generator<Buffer, void> {
  let held: string[] = []
  let length = 0
  for (const part of parts) {
    held.push(part)
    length += part.length
    if (length < chunkLength) continue
    yield Buffer.from(held.join(''))
    held = []
    length = 0
  }
  yield Buffer.from(held.join(''))
}

/** A small generator of whole numbers, the same everywhere. */
function numbers(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * bound)
  }
}

/** Nine digits with their check digit, as nearly all published NPIs have it. */
function npi(nine: number): string {
  let sum = 24
  for (let rest = nine, place = 0; rest > 0; rest = Math.floor(rest / 10), place++) {
    const digit = rest % 10
    sum += place % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return `${nine}${(10 - (sum % 10)) % 10}`
}

const referencesTotal = 6_000
const listsTotal = 3_000
const npisTotal = 200_000

const places = ['["11"]', '["21","22","23"]', '["11","19","22"]', '["CSTM-00"]']
const types = ['negotiated', 'fee schedule', 'derived']

interface Parts {
  readonly head: string
  readonly items: Iterable<string>
  readonly tail: string
}

function parts(shape: Shape, bytes: number): Parts {
  const random = numbers(7)
  const group = () => {
    const npis = Array.from({ length: 1 + random(30) }, () => npi(100_000_000 + random(npisTotal) * 37))
    return `{"npi":[${npis.join(',')}],"tin":{"type":"ein","value":"${10 + random(80)}-${1_000_000 + random(9_000)}"}}`
  }
  const header =
    '"reporting_entity_name":"Aetna","reporting_entity_type":"insurer","last_updated_on":"2026-05-01","version":"1.3.1"'
  const references = Array.from(
    { length: shape === 'inline' ? 0 : referencesTotal },
    (_, i) =>
      `{"provider_group_id":${i + 1},"provider_groups":[${Array.from({ length: 1 + random(3) }, group).join(',')}]}`,
  )
  const referenceText = `"provider_references":[${references.join(',\n')}]`
  const list = () => Array.from({ length: 1 + random(60) }, () => 1 + random(referencesTotal)).join(',')
  const lists = Array.from({ length: listsTotal }, () =>
    shape === 'inline'
      ? `"provider_groups":[${Array.from({ length: 1 + random(12) }, group).join(',')}]`
      : `"provider_references":[${list()}]`,
  )

  const first = shape === 'references' || shape === 'unique' ? `${referenceText},\n` : ''
  const last = shape === 'references-last' ? `,\n${referenceText}` : ''
  function* items(): Generator<string, void> {
    let written = referenceText.length
    for (let item = 0; written < bytes; item++) {
      const rates = Array.from({ length: 20 + random(200) }, (_, rate) => {
        const providers =
          shape === 'unique' ? `"provider_references":[${list()}]` : (lists[random(listsTotal)] as string)
        const prices = Array.from({ length: 1 + random(3) }, (_, price) => {
          const note =
            shape === 'unique'
              ? `,"additional_information":"note ${item} ${rate} ${price} ${random(1e9)}"`
              : ''
          const modifier = random(4) === 0 ? ',"billing_code_modifier":["26"]' : ''
          return `{"negotiated_type":"${types[random(3)]}","negotiated_rate":${(random(9_000_000) / 100).toFixed(2)},"expiration_date":"9999-12-31","service_code":${places[random(4)]},"billing_class":"professional"${modifier}${note}}`
        })
        return `{${providers},"negotiated_prices":[${prices.join(',')}]}`
      })
      const part = `${item > 0 ? ',\n' : ''}{"negotiation_arrangement":"ffs","name":"SERVICE ${item}","billing_code_type":"CPT","billing_code_type_version":"2026","billing_code":"${String(item % 100_000).padStart(5, '0')}","description":"SERVICE ${item}","negotiated_rates":[${rates.join(',')}]}`
      written += part.length
      yield part
    }
  }
  return { head: `{${header},\n${first}"in_network":[\n`, items: items(), tail: `]${last}}\n` }
}
