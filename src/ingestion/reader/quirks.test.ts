import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stageLines } from '../../../test/support/stage-lines.ts'
import type { FindingKind } from '../findings.ts'
import { readFile } from './reader.ts'
import { writeRemoteStage } from './remote-references.ts'
import { validate } from './validate.ts'

const folder = mkdtempSync(join(tmpdir(), 'stage-'))
afterAll(() => rmSync(folder, { recursive: true }))

const price = (more = '') =>
  `{"negotiated_type":"negotiated","negotiated_rate":12.5,"billing_class":"professional","service_code":["11"]${more}}`
const rate = (providers: string, prices = price()) => `{${providers}"negotiated_prices":[${prices}]}`
const item = (rates: string, more = '') =>
  `{"negotiation_arrangement":"ffs","billing_code_type":"CPT","billing_code":"99213"${more},"negotiated_rates":[${rates}]}`
const file = (items: string, before = '', after = '') =>
  `{"reporting_entity_name":"A","reporting_entity_type":"issuer","last_updated_on":"2026-01-01","version":"2.0.0",${before}"in_network":[${items}]${after}}`
const group = (npi: string, tin = '{"type":"ein","value":"12-3456789"}') => `{"npi":${npi},"tin":${tin}}`
const inline = (groups: string) => file(item(rate(`"provider_groups":[${groups}],`)))
const priced = (text: string) => file(item(rate('"provider_references":[1],', text), ''), reference(1))
const reference = (id: string | number) =>
  `"provider_references":[{"provider_group_id":${id},"provider_groups":[${group('[1234567893]')}]}],`

async function read(text: string) {
  const stage = join(folder, 'quirk')
  const staged = await readFile([Buffer.from(text)], stage)
  return { ...staged, ...stageLines(stage) }
}

describe('a quirk is handled and told', () => {
  const quirks: [string, string, FindingKind, string][] = [
    ['NPI as string', inline(group('["1234567893"]')), 'number_as_text', 'provider_groups[0].npi'],
    [
      'capital NPI key',
      inline('{"NPI":[1234567893],"tin":{"type":"ein","value":"123456789"}}'),
      'key_case',
      'NPI',
    ],
    ['one NPI for a list', inline(group('1234567893')), 'single_for_list', 'npi'],
    ['empty text among NPIs', inline(group('[1234567893,""]')), 'empty_in_list', 'npi[1]'],
    ['null among NPIs', inline(group('[1234567893,null]')), 'null_in_list', 'npi[1]'],
    ['NPI of nine digits', inline(group('[123456789]')), 'npi_invalid', 'npi[0]'],
    ['NPI 0 beside others', inline(group('[1234567893,0]')), 'npi_zero_among_others', 'npi'],
    ['wrong check digit', inline(group('[1234567890]')), 'npi_check_digit', 'npi'],
    ['no NPIs', inline(group('[]')), 'group_without_npi', 'provider_groups[0]'],
    ['bad EIN', inline(group('[1234567893]', '{"type":"ein","value":"1234"}')), 'tin_invalid', 'tin.value'],
    [
      'TIN 0',
      inline(group('[1234567893]', '{"type":"ein","value":"000000000"}')),
      'tin_invalid',
      'tin.value',
    ],
    [
      'EIN with an NPI',
      inline(group('[1234567893]', '{"type":"ein","value":"1234567893"}')),
      'tin_type_mismatch',
      'tin',
    ],
    [
      'EIN that the IRS gives out to nobody',
      inline(group('[1234567893]', '{"type":"ein","value":"07-3456789"}')),
      'ein_prefix',
      'tin.value',
    ],
    ['no TIN', inline('{"npi":[1234567893]}'), 'tin_missing', 'tin'],
    [
      'rate as string',
      priced(price().replace('12.5', '"12.5"')),
      'number_as_text',
      'negotiated_prices[0].negotiated_rate',
    ],
    [
      'zero rate',
      priced(price().replace('12.5', '0.00')),
      'rate_zero',
      'negotiated_prices[0].negotiated_rate',
    ],
    ['absurd rate', priced(price().replace('12.5', '100000000.01')), 'rate_absurd', 'negotiated_rate'],
    ['rate beyond', priced(price().replace('12.5', '1e30')), 'rate_out_of_range', 'negotiated_rate'],
    [
      'rate of nine digits',
      priced(price().replace('12.5', '12.123456789')),
      'rate_rounded',
      'negotiated_rate',
    ],
    [
      'percentage as a fraction',
      priced(
        `${price().replace('12.5', '65').replace('"negotiated"', '"percentage"')},${price().replace('12.5', '0.65').replace('"negotiated"', '"percentage"')}`,
      ),
      'percentage_below_one',
      'negotiated_prices[1].negotiated_rate',
    ],
    ['no rate', priced(price().replace('12.5', 'null')), 'rate_missing', 'negotiated_rate'],
    ['one place for a list', priced(price().replace('["11"]', '"11"')), 'single_for_list', 'service_code'],
    ['place without zero', priced(price().replace('"11"', '"1"')), 'service_code_padded', 'service_code[0]'],
    [
      'unknown class',
      priced(price().replace('professional', 'dental')),
      'billing_class_unknown',
      'billing_class',
    ],
    [
      'unknown type',
      priced(price().replace('"negotiated"', '"guess"')),
      'negotiated_type_unknown',
      'negotiated_type',
    ],
    ['key twice', priced(price(',"negotiated_rate":7')), 'duplicate_key', 'negotiated_rate'],
    ['unknown key', priced(price(',"colour":{"a":[1]}')), 'unknown_key', 'colour'],
    ['date in words', priced(price(',"expiration_date":"2/4/2026"')), 'date_reshaped', 'expiration_date'],
    ['no date', priced(price(',"expiration_date":"soon"')), 'bad_date', 'expiration_date'],
    [
      'unknown code type',
      file(item(rate('')).replace('CPT', 'YC')),
      'code_type_unknown',
      'in_network[0].billing_code_type',
    ],
    [
      'equipment as CPT',
      file(item(rate('')).replace('99213', 'E0601')),
      'code_type_mismatch',
      'in_network[0].billing_code_type',
    ],
    [
      'schema 2 that calls itself 1',
      priced(price(',"setting":"both"')).replace('2.0.0', '1.0.0'),
      'version_disagrees',
      'version',
    ],
    ['schema 1 that calls itself 2', inline(group('[1234567893]')), 'version_disagrees', 'version'],
    [
      'code as number',
      file(item(rate('')).replace('"99213"', '99213')),
      'text_as_number',
      'in_network[0].billing_code',
    ],
    [
      'rates without providers',
      file(item(rate(''))),
      'rate_without_providers',
      'in_network[0].negotiated_rates[0]',
    ],
    [
      'no prices',
      file(item('{"provider_references":[1],"negotiated_prices":[]}')),
      'rate_without_prices',
      'negotiated_rates[0]',
    ],
    [
      'undefined reference',
      file(item(rate('"provider_references":[9],'))),
      'reference_undefined',
      'provider_references',
    ],
    [
      'reference defined twice',
      file('', reference(1).replace(']}],', ']},{"provider_group_id":1.0,"provider_groups":[]}],')),
      'reference_redefined',
      'provider_group_id',
    ],
    [
      'address without host',
      file('', '"provider_references":[{"provider_group_id":1,"location":"sftp://x"}],'),
      'location_invalid',
      'location',
    ],
    ['two documents', `${file('')}${file('')}`, 'trailing_bytes', '$'],
    ['rubbish behind', `${file('')} x`, 'trailing_bytes', '$'],
    ['cut off', file(item(rate(''))).slice(0, -2), 'truncated', ''],
    ['byte order mark', `\ufeff${file('')}`, 'byte_order_mark', '$'],
    ['web page', '<!doctype html><title>Not found</title>', 'html_page', '$'],
    ['nothing', ' \n', 'empty_file', '$'],
    ['half a character', file(item('', ',"name":"\\ud800"')), 'unpaired_surrogate', 'in_network[0].name'],
  ]

  it.each(quirks)('%s', async (_what, text, kind, path) => {
    const { findings } = await read(text)
    expect(findings.counts).toMatchObject({ [kind]: 1 })
    const found = findings.kept.find((finding) => finding.kind === kind)!
    expect(found.path.endsWith(path)).toBe(true)
    expect(found.offset).toBeGreaterThanOrEqual(0)
    expect(found.offset).toBeLessThanOrEqual(Buffer.byteLength(text))
  })

  it('reads ids as decimal text, not as floats', async () => {
    const ids = '[690.64470, 690.6447, 6.906447e2, 62.0004808658, 12345678901234567890, "7", 7.0]'
    const { lines, findings } = await read(
      file(item(rate(`"provider_references":${ids},`)), reference('690.6447')),
    )
    expect(lines[0]).toContain('12345678901234567890,62.0004808658,690.6447,7|')
    expect(findings.counts).toMatchObject({ reference_repeated: 3, reference_undefined: 3 })
  })

  it('keeps a TIN-level contract apart from a group without NPIs', async () => {
    const { lines } = await read(inline(`${group('[0]')},${group('[]')}`))
    expect(lines[0]).toContain('"123456789","",true,false,[]')
    expect(lines[0]).toContain('"123456789","",false,false,[]')
  })

  it('joins references and groups of one rate object', async () => {
    const both = `"provider_references":[1],"provider_groups":[${group('[1234567893]')}],`
    const { lines } = await read(file(item(`${rate(both)},${rate(both)}`), reference(1)))
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(' 1|["ein","123456789"')
  })

  it('counts an oddity each time its bytes are met, and places it once', async () => {
    const odd = rate(
      `"provider_groups":[${group('["1234567893"]')}],`,
      price().replace('professional', 'Dental'),
    )
    const { findings, counts } = await read(file(item(Array(50).fill(odd).join(','))))
    expect(counts).toMatchObject({ prices: 50, groupsPublished: 50, npisPublished: 50 })
    expect(findings.counts).toMatchObject({ number_as_text: 50, billing_class_unknown: 50, value_case: 50 })
    expect(findings.kept.filter(({ kind }) => kind === 'billing_class_unknown')).toHaveLength(1)
  })

  it('says so when the bytes stop coming', async () => {
    async function* broken() {
      yield Buffer.from(file(item(rate(''))).slice(0, 200))
      await Promise.resolve()
      throw new Error('unexpected end of file')
    }
    const staged = await readFile(broken(), undefined)
    expect(staged).toMatchObject({
      complete: false,
      findings: { counts: { broken_source: 1, truncated: 1 } },
    })
  })
})

describe('a filter', () => {
  const items = `${item(rate(`"provider_groups":[${group('[1234567893]')},${group('[1679576722]')}],`))},${item(rate('"provider_references":[1],')).replace('99213', '0470')}`
  const text = file(items, reference(1))
  // The code behind the rates, the references behind the items.
  const lateItems = [
    `{"negotiated_rates":[${rate(`"provider_groups":[${group('[1234567893]')},${group('[1679576722]')}],`)}],"billing_code":"99213"}`,
    `{"negotiated_rates":[${rate('"provider_references":[1],')}],"billing_code":"0470"}`,
  ]
  const late = file(lateItems.join(','), '', `,${reference(1).slice(0, -1)}`)

  it.each([
    ['early', text],
    ['late', late],
  ])('by code skips the items of other codes, code %s', async (_when, document) => {
    const staged = await readFile([Buffer.from(document)], undefined, { filter: { codes: new Set(['470']) } })
    expect(staged).toMatchObject({ complete: true, counts: { items: 2, itemsKept: 1, prices: 1, rates: 1 } })
  })

  it('by NPI or TIN keeps the groups that hold one, and what it cannot decide', async () => {
    const npis = new Set([1679576722])
    expect(await readFile([Buffer.from(text)], undefined, { filter: { npis } })).toMatchObject({
      counts: { prices: 1 },
    })
    expect(await readFile([Buffer.from(late)], undefined, { filter: { npis } })).toMatchObject({
      counts: { prices: 2 },
    })
    const tins = new Set(['123456789'])
    expect(await readFile([Buffer.from(text)], undefined, { filter: { tins } })).toMatchObject({
      counts: { prices: 2 },
    })
  })
})

describe('remote references', () => {
  it('are staged together, by location', () => {
    const remote = writeRemoteStage(join(folder, 'remote'))
    const good = Buffer.from(`{"version":"1.0.0","provider_groups":[${group('[1234567893]')}]}`)
    expect(remote.add('https://example.org/1', good)).toMatchObject({
      kind: 'provider-reference',
      usable: true,
    })
    expect(remote.add('https://example.org/2', Buffer.from('<html>'))).toMatchObject({
      kind: 'html',
      usable: false,
    })
    expect(remote.add('https://example.org/3', good.subarray(0, 40))).toMatchObject({ usable: false })
    expect(remote.add('https://example.org/4', good)).toMatchObject({ usable: true })
    remote.finish()
    const { definitions } = stageLines(join(folder, 'remote'))
    expect(definitions.map((line) => (JSON.parse(line) as string[])[0])).toEqual([
      'https://example.org/1',
      'https://example.org/4',
    ])
  })
})

const realData = process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../../shared/data')
const payerFiles = join(realData, 'payer-files')
if (!existsSync(payerFiles)) console.warn(`No real data at ${realData}: the documents of CMS are skipped.`)

describe.skipIf(!existsSync(payerFiles))('the documents of CMS', () => {
  const kinds = [
    ['allowed-amounts', '*/*/examples/allowed-amounts/*.json'],
    ['table-of-contents', '*/*/examples/table-of-contents/*.json'],
    ['table-of-contents', 'cms-guide/misc/toc*.json'],
    ['provider-reference', '*/*/examples/provider-reference/*.json'],
    ['in-network', '*/*/examples/in-network-rates/*.json'],
    ['html', '*/*/examples/in-network-rates/*.xml'],
    ['in-network', 'cms-validator/test-files/in-network*.json'],
    ['allowed-amounts', 'cms-validator/test-files/allowed*.json'],
    ['other', 'cms-validator/test/fixtures/*.json'],
  ].flatMap(([kind = '', pattern = '']) => globSync(pattern, { cwd: payerFiles }).map((path) => [kind, path]))

  it('are there', () => expect(kinds.length).toBeGreaterThan(30))

  it.each(kinds)('are told as %s: %s', async (kind, path) => {
    const verdict = await validate([readFileSync(join(payerFiles, path!))])
    expect(verdict.kind).toBe(kind)
    const errors = verdict.summary
      .filter(({ severity }) => severity === 'error')
      .map((summary) => summary.kind)
    // One of CMS's own examples is no JSON, and its XML is no JSON at all.
    const expected = path?.endsWith('toc-sample-ein.json')
      ? ['bad_json']
      : kind === 'html'
        ? ['html_page']
        : []
    expect(errors).toEqual(expected)
  })
})
