import { describe, expect, it } from 'vitest'
import { readFile } from './reader.ts'

const npi = 1_234_567_893
const price =
  '{"negotiated_type":"negotiated","negotiated_rate":12.5,"expiration_date":"2027-01-01","billing_class":"professional","service_code":["11"]}'

/** A file of lists that come several times, each with one group of its own that names something that is no NPI. */
function* repeating(lists: number, times: number, member: (list: number) => string): Generator<Buffer> {
  yield Buffer.from(
    '{"reporting_entity_name":"A","version":"1.0.0","in_network":[{"billing_code":"1","negotiated_rates":[',
  )
  for (let time = 0; time < times; time++)
    for (let list = 0; list < lists; list++)
      yield Buffer.from(`${time + list > 0 ? ',' : ''}{${member(list)},"negotiated_prices":[${price}]}`)
  yield Buffer.from(']}]}')
}

const groups = (list: number) =>
  `"provider_groups":[{"npi":[${npi},${list + 1}],"tin":{"type":"ein","value":"${100_000_000 + list}"}},{"npi":[${npi}],"tin":{"type":"ein","value":"123456789"}}]`
const references = (list: number) => `"provider_references":[${list},${list},${list + 1}]`

describe('what is remembered of repeated lists', () => {
  for (const plain of [true, false])
    for (const lists of [2_000, 20_000])
      it(`adds the same each time: ${lists} lists, ${plain ? 'plain' : 'with WebAssembly'}`, async () => {
        const inline = await readFile(repeating(lists, 3, groups), undefined, { plain })
        expect(inline.counts).toMatchObject({
          rates: lists * 3,
          npisPublished: lists * 9,
          npisInvalid: lists * 3,
          groupsPublished: lists * 6,
        })
        expect(inline.rows).toMatchObject({ sets: lists + 1, groups: lists + 1 })
        const named = await readFile(repeating(lists, 3, references), undefined, { plain })
        expect(named.findings.counts.reference_repeated).toBe(lists * 3)
        expect(named.rows.sets).toBe(lists + 1)
      })
})
