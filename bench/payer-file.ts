import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

/**
 * Shapes of made-up in-network files. `references`: groups by id, first; `references-last`: the same, behind the rates;
 * `inline`: groups in each rate; `unique`: no text, list or note ever comes twice.
 */
export const shapes = ['references', 'inline', 'references-last', 'unique'] as const
export type Shape = (typeof shapes)[number]

/** A repeatable source of numbers. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))

/** The text of a file of about `bytes` bytes, in pieces. The same arguments give the same bytes. */
export function* payerFileText(shape: Shape, bytes: number): Generator<string> {
  const roll = dice(20_260_101)
  const npi = () => String(1_000_000_000 + roll(999_999_999))
  const group = (npis: number) =>
    `{"npi":[${many(npis, npi).join(',')}],"tin":{"type":"ein","value":"${10 + roll(89)}-${1_000_000 + roll(8_999_999)}"}}`
  const references = Math.max(200, Math.min(20_000, Math.floor(bytes / 50_000)))
  const reference = (id: number) =>
    `{"provider_group_id":${id},"network_name":["PPO ${id % 7}"],"provider_groups":[${many(1 + roll(3), () => group(1 + roll(24))).join(',')}]}`
  const referenceList = () => `[${many(1 + roll(30), () => String(roll(references))).join(',')}]`
  const referenceLists = many(1_500, referenceList)
  const groupLists = many(600, () => `[${many(1 + roll(8), () => group(4 + roll(40))).join(',')}]`)
  const places = ['["11"]', '["22","24"]', '["02","10","11","12","19","22"]', '["21"]', '["CSTM-00"]']
  const types = ['negotiated', 'negotiated', 'fee schedule', 'derived']
  const attributes = many(
    60,
    (index) =>
      `","expiration_date":"202${6 + (index % 3)}-12-31","service_code":${places[index % 5]},"billing_class":"${index % 3 ? 'professional' : 'institutional'}","setting":"${index % 2 ? 'outpatient' : 'inpatient'}","billing_code_modifier":[${['', '"26"', '"TC"', '"59","LT"'][index % 4]}]`,
  )
  const words = many(800, () => many(2 + roll(6), () => String.fromCharCode(97 + roll(26))).join(''))
  const phrase = (length: number) => many(length, () => words[roll(800)]!).join(' ')

  yield `{"reporting_entity_name":"Synthetic Health","reporting_entity_type":"health insurance issuer","last_updated_on":"2026-01-01","version":"2.0.0"`
  const byReference = shape !== 'inline'
  const definitions = function* () {
    yield ',"provider_references":['
    for (let id = 0; id < references; id++) yield (id ? ',' : '') + reference(id)
    yield ']'
  }
  if (byReference && shape !== 'references-last') yield* definitions()
  yield ',"in_network":['
  let written = 0
  const unique = shape === 'unique'
  for (let index = 0; written < bytes; index++) {
    const code = String(10_000 + (index % 89_999))
    const name = unique ? `${phrase(3)} ${index}` : `Service ${code}`
    const text = unique
      ? `${phrase(12)} ${index}`
      : `${words[index % 800]} ${words[(index * 7) % 800]} service ${code}`
    let item = `${index ? ',' : ''}{"negotiation_arrangement":"ffs","name":"${name}","billing_code_type":"CPT","billing_code_type_version":"2026","billing_code":"${code}","description":"${text}","negotiated_rates":[`
    const base = 20 + roll(4_000)
    const rates = 20 + roll(60)
    for (let place = 0; place < rates; place++) {
      const providers = unique
        ? `"provider_references":${referenceList()}`
        : byReference
          ? `"provider_references":${referenceLists[(index + place * 17) % 1_500]}`
          : `"provider_groups":${groupLists[(index + place * 17) % 600]}`
      const prices = many(1 + roll(3), (number) => {
        const note = unique ? `,"additional_information":"${phrase(6)} ${index}-${place}-${number}"` : ''
        const cents = 100 + roll(99_999)
        return `{"negotiated_type":"${types[(place + number) % 4]}","negotiated_rate":${base + Math.floor(cents / 100)}.${10 + (cents % 90)}${attributes[(place * 3 + number) % 60]!.replace('"', '')}${note}}`
      })
      item += `${place ? ',' : ''}{${providers},"negotiated_prices":[${prices.join(',')}]}`
    }
    item += ']}'
    written += item.length
    yield item
  }
  yield ']'
  if (shape === 'references-last') yield* definitions()
  yield '}\n'
}

/** Pieces of at least 256 kB, so that compression is not called for every item. */
function* gathered(pieces: Iterable<string>) {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < 1 << 18) continue
    yield Buffer.from(text, 'latin1')
    text = ''
  }
  yield Buffer.from(text, 'latin1')
}

/** Writes a gzipped file of that shape. */
export async function writePayerFile(path: string, shape: Shape, bytes: number): Promise<void> {
  const file = createWriteStream(path)
  await pipeline(Readable.from(gathered(payerFileText(shape, bytes))), createGzip({ level: 6 }), file)
  if (!file.closed) await once(file, 'close')
}
