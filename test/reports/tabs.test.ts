import { parse } from 'csv-parse/sync'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bestRates,
  contextKey,
  countable,
  grouped,
  identity,
  naiveSummary,
  newest,
  percentileInc,
  rates,
  withoutOutliers,
  type ReportRow,
} from '../support/naive-report.ts'
import {
  openWorld,
  worldAttributes,
  worldEntries,
  worldQuery,
  worldTins,
  type World,
} from '../support/report-world.ts'
import { readSettings } from '../../src/config.ts'
import { writeSheetAsText } from '../../src/directory/workbook.ts'
import { reportColumnIds } from '../../src/operations/report-columns.ts'
import { SavedContractModelConfig } from '../../src/operations/contract-model.ts'
import { openRecords } from '../../src/records/open.ts'
import { openEngine } from '../../src/warehouse/engine.ts'
import { unknownProvider } from '../../src/warehouse/provider-attributes.ts'
import type { ReportCall } from '../../src/reports/report-call.ts'
import { workbook } from '../../src/reports/workbook.ts'

const plain = { rateAggregation: 'none' as const }
const all = { ...plain, pagination: { pageSize: 10_000 } }
const configured = (config: object) => SavedContractModelConfig.parse(config)

const parties = configured({
  yourTins: [{ value: worldTins[0] }],
  competitorColumns: [
    {
      id: 'eastside1',
      label: 'Eastside',
      tins: [{ value: worldTins[1] }, { value: worldTins[2] }],
      aggregation: 'modal',
    },
    { id: 'westside1', label: 'Westside', tins: [{ value: worldTins[3] }], aggregation: 'avg' },
  ],
})

interface Opened {
  world: World
  call: ReportCall
  id: string
  rows: ReportRow[]
}

let shared: Opened
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ratebook-reports-'))
  const world = await openWorld(await openRecords(readSettings({ RATEBOOK_DATA: folder })))
  const call = await world.caller()
  const id = await world.built(call)
  const { data } = await world.reports.rows({ id, ...all }, call)
  shared = { world, call, id, rows: data }
}, 60_000)
afterAll(async () => {
  await shared.world.close()
  await shared.world.records.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The small world with one report over it, and the rows of that report. */
const opened = async () => shared

/** What an entry looks like in a report, as far as it tells entries apart. */
const entryKey = (entry: (typeof worldEntries)[number]) =>
  JSON.stringify([
    entry.payer,
    `${String(entry.month).slice(0, 4)}-${String(entry.month).slice(4)}`,
    entry.code,
    entry.billingClass,
    entry.negotiatedType,
    entry.serviceCodes.join('; ') || 'none',
    entry.modifiers.join('; ') || 'none',
    entry.tin,
    entry.npi,
    entry.rate / 10_000,
    [...entry.networks].sort().join('; '),
    entry.first[0],
  ])
const rowKey = (row: ReportRow) =>
  JSON.stringify([
    row['payer'],
    row['year_month'],
    row['billing_code'],
    row['billing_class'],
    row['negotiated_type'],
    row['service_codes'],
    row['modifiers'],
    row['tin_value'],
    row['npi'],
    row['negotiated_rate'],
    row['networks'],
    row['source_file'],
  ])

describe('the rows of a report', () => {
  it('are the entries of a market, each once, with what the directory and Medicare say', async () => {
    const { rows } = await opened()
    const known = worldEntries.filter(({ npi }) => worldAttributes.rankOf(npi) !== unknownProvider)
    expect(rows.map(rowKey).sort()).toEqual(known.map(entryKey).sort())
    for (const row of rows) {
      const rank = worldAttributes.rankOf(Number(row['npi']))
      expect(row['state']).toBe(worldAttributes.states[worldAttributes.state[rank]!])
      expect(row['npi_name']).toBe(`Dr ${Number(row['npi']) % 1000}`)
      expect(row['tin']).toBe(Number(row['tin_value']))
      const medicare =
        row['state'] === 'FL' ? { '99213': 90, J1100: 2 }[String(row['billing_code'])] : undefined
      expect(row['medicare_rate']).toBe(medicare ?? null)
      const isPercent = row['negotiated_type'] === 'percentage'
      expect(row['medicare_percent']).toBe(
        medicare && !isPercent
          ? Math.round((Number(row['negotiated_rate']) * 1_000_000) / medicare) / 10_000
          : null,
      )
    }
  })

  it('are the entries of named providers, known to the directory or not', async () => {
    const { states: _, comparedTo: __, ...rest } = worldQuery
    const { world, call } = await opened()
    const query = { ...rest, providers: { tins: [worldTins[4]!] }, billingCodeAndTypes: [] }
    const { data: rows } = await world.reports.rows({ id: await world.built(call, query), ...all }, call)
    const wanted = worldEntries.filter(({ tin }) => Number(tin) === worldTins[4])
    expect(rows.map(rowKey).sort()).toEqual(wanted.map(entryKey).sort())
    expect(rows.some(({ state }) => state === null)).toBe(true)
  })

  it('come in pages that together are all of them, once each, plain, sorted or collapsed', async () => {
    const { world, call, id, rows } = await opened()
    const questions = [
      {},
      { sorts: [{ id: 'negotiated_rate' as const, desc: true }] },
      {
        aggregatedColumns: ['npi', 'state', 'zip', 'taxonomy_code', 'entity_type'] as const,
        rateAggregation: 'avg' as const,
      },
      {
        filter: {
          op: 'AND' as const,
          filters: [{ op: 'CONTAINS' as const, field: 'tin_name', value: 'eastside' }],
        },
      },
    ]
    for (const question of questions) {
      const asked = { id, ...plain, ...question, aggregatedColumns: [...(question.aggregatedColumns ?? [])] }
      const whole = await world.reports.rows({ ...asked, pagination: { pageSize: 10_000 } }, call)
      const walked: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await world.reports.rows(
          { ...asked, pagination: { pageSize: 97, ...(cursor && { cursor }) } },
          call,
        )
        expect(page.totalRows).toBe(whole.data.length)
        walked.push(...page.data)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(walked).toEqual(whole.data)
    }
    const sorted = await world.reports.rows(
      { id, ...all, sorts: [{ id: 'negotiated_rate', desc: true }] },
      call,
    )
    expect(rates(sorted.data)).toEqual(rates(rows).sort((a, b) => b - a))
  })

  it.each(['min', 'max', 'median', 'avg', 'modal'] as const)(
    'are made one by %s, exactly',
    async (rateAggregation) => {
      const { world, call, id, rows } = await opened()
      const collapsed = reportColumnIds.filter(
        (column) =>
          ![
            'payer',
            'billing_code',
            'negotiated_type',
            'negotiated_rate',
            'medicare_rate',
            'medicare_percent',
            'source_file',
            'source_place',
          ].includes(column),
      )
      const { data } = await world.reports.rows(
        { id, rateAggregation, aggregatedColumns: collapsed as never, pagination: { pageSize: 10_000 } },
        call,
      )
      const keys = ['payer', 'billing_code', 'billing_code_group', 'billing_code_subgroup', 'negotiated_type']
      const groups = grouped(rows, keys)
      expect(data).toHaveLength(groups.size)
      for (const row of data) {
        const group = [...groups.values()].find((some) =>
          keys
            .slice(0, 2)
            .concat('negotiated_type')
            .every((key) => some[0]![key] === row[key]),
        )!
        expect(row['entries']).toBe(group.length)
        expect(row['negotiated_rate']).toBeCloseTo(naiveSummary[rateAggregation](rates(group)), 5)
        expect(row['npi']).toBe([...new Set(group.map(({ npi }) => String(npi)))].sort().join('; '))
      }
    },
  )

  it('lose outliers and give way to the best rate, and say so', async () => {
    const { world, call, id, rows } = await opened()
    const look = async (config: object) =>
      world.reports.rows({ id, ...all, config: configured(config) }, call)
    const plausible = rows.filter(
      ({ negotiated_rate: rate }) => Number(rate) > 0 && Number(rate) <= 100_000_000,
    )
    const clean = withoutOutliers(plausible)
    const cleaned = await look({ isOutlierRemoved: true })
    expect(cleaned.data.map(identity).sort()).toEqual(clean.map(identity).sort())
    expect(cleaned.leftOut).toMatchObject({
      rowsMatched: rows.length,
      rowsUsed: clean.length,
      implausible: rows.length - plausible.length,
      outliers: plausible.length - clean.length,
    })
    expect(cleaned.leftOut.outlierPools.reduce((sum, { removed }) => sum + removed, 0)).toBe(
      plausible.length - clean.length,
    )
    expect(new Set(cleaned.leftOut.outlierPools.map(({ rule }) => rule))).toEqual(
      new Set(['log_iqr', 'medicare']),
    )
    const best = await look({ isOutlierRemoved: true, isBestRateChosen: true })
    expect(
      best.data
        .map((row) => ({ key: contextKey(row), rate: row['negotiated_rate'], bestOf: row['best_of'] }))
        .sort(byKey),
    ).toEqual(bestRates(clean).sort(byKey))
    expect(best.leftOut.notBest).toBe(clean.length - best.data.length)
    expect(best.totalRows).toBe(best.data.length)
  })
})

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)

describe('the tabs', () => {
  it('give the percentiles that market benchmarks give, and rank yours among them', async () => {
    const { world, call, id, rows } = await opened()
    const { rows: groups } = await world.reports.percentiles(
      {
        id,
        unit: 'dollars',
        config: parties,
        groupBy: ['payer', 'billing_code'],
        percentiles: [10, 50, 95],
        measure: 'negotiated_rate',
      },
      call,
    )
    const { body } = await world.pricing.benchmarks(
      {
        filters: {
          states: ['FL', 'TX'],
          taxonomyCodes: ['207Q00000X', '207RC0000X'],
          payers: worldQuery.payers,
          billingCodeAndTypes: worldQuery.billingCodeAndTypes,
        },
        metrics: {
          aggregations: ['percentile_10', 'percentile_50', 'percentile_95', 'avg_rate', 'num_entries'],
        },
        groupBy: ['payer', 'billingCode'],
      },
      { organization: 'any' },
    )
    const told = groups.flatMap(({ key, percentiles: { p10, p50, p95 }, avg, entries }) =>
      [p10, p50, p95, avg, entries].map((value) => [...key, value]),
    )
    expect(told).toEqual(body.map(({ payer, billingCode, value }) => [payer, billingCode, value]))
    const used = countable(newest(rows))
    for (const { key, marks } of groups) {
      const group = used.filter((row) => row['payer'] === key[0] && row['billing_code'] === key[1])
      const members = [[worldTins[0]], [worldTins[1], worldTins[2]], [worldTins[3]]].map((tins) =>
        rates(group.filter(({ tin }) => tins.includes(tin as number))),
      )
      const wanted = [naiveSummary.median, naiveSummary.modal, naiveSummary.avg].map((made, at) =>
        made(members[at]!),
      )
      for (const [at, mark] of marks.entries()) {
        expect(mark.entries).toBe(members[at]!.length)
        expect(mark.rate).toBeCloseTo(wanted[at]!, 5)
        // The rank is the inverse of the percentile, as exactly as its two decimals say.
        const near = (rank: number) => percentileInc(rates(group), Math.min(Math.max(rank, 0), 100) / 100)
        expect(near(mark.percentileRank! - 0.005001)).toBeLessThanOrEqual(mark.rate! + 1e-6)
        expect(near(mark.percentileRank! + 0.005001)).toBeGreaterThanOrEqual(mark.rate! - 1e-6)
      }
    }
  })

  it('count every rate of the chart in one bin', async () => {
    const { world, call, id, rows } = await opened()
    const shown = await world.reports.chart(
      {
        id,
        unit: 'dollars',
        config: parties,
        dimension: 'tin',
        measure: 'negotiated_rate',
        groupsMost: 3,
        bins: 7,
      },
      call,
    )
    const used = countable(newest(rows))
    expect(shown.groupsTotal).toBe(new Set(used.map(({ tin }) => tin)).size)
    expect(shown.groups).toHaveLength(3)
    for (const { value, entries, histogram } of shown.groups) {
      const values = rates(used.filter(({ tin }) => tin === value))
      expect(entries).toBe(values.length)
      const bins = shown.edges
        .slice(0, -1)
        .map(
          (from, at) =>
            values.filter(
              (rate) => rate >= from && (at === 6 ? rate <= shown.edges[7]! : rate < shown.edges[at + 1]!),
            ).length,
        )
      expect(histogram).toEqual(bins)
    }
  })

  it('pivot rows by columns, totals over everything they stand for', async () => {
    const { world, call, id, rows } = await opened()
    const ask = (aggregation: 'median_rate' | 'num_distinct_npis' | 'max_rate') =>
      world.reports.pivot(
        {
          id,
          unit: 'dollars',
          rows: ['payer', 'billing_class'],
          columns: ['year_month'],
          aggregation,
          measure: 'negotiated_rate',
        },
        call,
      )
    const used = countable(rows)
    const measures = {
      median_rate: (some: ReportRow[]) => naiveSummary.median(rates(some)),
      max_rate: (some: ReportRow[]) => naiveSummary.max(rates(some)),
      num_distinct_npis: (some: ReportRow[]) => new Set(some.map(({ npi }) => npi)).size,
    }
    for (const [aggregation, measure] of Object.entries(measures)) {
      const { columnKeys, rows: lines, totals } = await ask(aggregation as 'max_rate')
      expect(columnKeys).toEqual([['2026-04'], ['2026-05']])
      expect(totals.total).toBeCloseTo(measure(used), 5)
      for (const [at, [month]] of columnKeys.entries())
        expect(totals.cells[at]).toBeCloseTo(measure(used.filter((row) => row['year_month'] === month)), 5)
      for (const { key, cells, total } of lines) {
        const line = used.filter((row) => row['payer'] === key[0] && row['billing_class'] === key[1])
        expect(total).toBeCloseTo(measure(line), 5)
        for (const [at, [month]] of columnKeys.entries()) {
          const cell = line.filter((row) => row['year_month'] === month)
          expect(cells[at]).toBeCloseTo(measure(cell), 5)
        }
      }
    }
  })

  it('set two months beside each other: up, down, same, new and gone', async () => {
    const { world, call, id, rows } = await opened()
    for (const aggregation of ['median', 'avg', 'max', 'min', 'modal'] as const) {
      const told = await world.reports.rateChange(
        { id, unit: 'dollars', groupBy: ['payer', 'billing_code', 'tin'], aggregation, sort: 'key' },
        call,
      )
      const groups = grouped(countable(rows), ['payer', 'billing_code', 'tin'])
      expect(told.rows).toHaveLength(groups.size)
      const counts = { increased: 0, decreased: 0, unchanged: 0, new: 0, gone: 0 }
      for (const row of told.rows) {
        const group = groups.get(JSON.stringify(row.key))!
        const of = (month: string) => rates(group.filter((one) => one['year_month'] === month))
        const [old, young] = [of('2026-04'), of('2026-05')].map((some) =>
          some.length === 0 ? null : Math.round(naiveSummary[aggregation](some) * 1_000_000) / 1_000_000,
        )
        expect([row.oldRate, row.newRate]).toEqual([old, young])
        const status =
          old === null
            ? 'new'
            : young === null
              ? 'gone'
              : young! > old!
                ? 'increased'
                : young! < old!
                  ? 'decreased'
                  : 'unchanged'
        expect(row.status).toBe(status)
        counts[row.status]++
        const percent = old && young ? (100 * (young - old)) / old : null
        expect(row.changePercent === null).toBe(percent === null)
        expect(row.changePercent ?? 0).toBeCloseTo(percent ?? 0, 3)
      }
      expect(told.summary).toEqual(counts)
      expect(counts.new).toBeGreaterThan(0)
      expect(counts.gone).toBeGreaterThan(0)
    }
    const rises = await world.reports.rateChange(
      {
        id,
        unit: 'dollars',
        groupBy: ['payer', 'tin'],
        aggregation: 'median',
        sort: 'change',
        statuses: ['increased'],
        pagination: { pageSize: 2 },
      },
      call,
    )
    expect(rises.rows.every(({ status }) => status === 'increased')).toBe(true)
    expect(rises.totalRows).toBe(rises.summary.increased)
  })

  it('draw the same sample for the same seed, and another for another', async () => {
    const { world, call, id, rows } = await opened()
    const draw = async (seed: string) =>
      (await world.reports.sample({ id, size: 40, seed }, call)).data.map(identity)
    const spring = await draw('spring')
    expect(await draw('spring')).toEqual(spring)
    expect(await draw('autumn')).not.toEqual(spring)
    expect(new Set(spring).size).toBe(40)
    const places = spring.map((row) => rows.map(identity).indexOf(row))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect((await world.reports.sample({ id, size: 10_000 }, call)).data).toHaveLength(rows.length)
  })

  it('price the same made-up claims for the same seed, like against like', async () => {
    const { world, call, id } = await opened()
    const ask = (seed: string) =>
      world.reports.dummyClaims({ id, unit: 'dollars', config: parties, claims: 500, shown: 500, seed }, call)
    const spring = await ask('spring')
    expect(await ask('spring')).toEqual(spring)
    expect((await ask('autumn')).rows).not.toEqual(spring.rows)
    expect(spring.rows).toHaveLength(500)
    for (const { id: column, claimsPriced, total, yoursOnSame, difference, perClaim } of spring.columns) {
      const priced = spring.rows.filter(({ prices }) => prices[column] !== null)
      const prices = priced.map((row) => row.prices[column]!)
      expect(claimsPriced).toBe(priced.length)
      expect(total).toBeCloseTo(
        prices.reduce((sum, price) => sum + price, 0),
        4,
      )
      expect(yoursOnSame).toBeCloseTo(
        priced.reduce((sum, row) => sum + row.prices['yours']!, 0),
        4,
      )
      expect(difference).toBeCloseTo(total - yoursOnSame, 4)
      expect(perClaim.p90).toBeCloseTo(percentileInc(prices, 0.9), 4)
    }
    expect(spring.spread!.difference).toBeCloseTo(
      spring.spread!.highest.total - spring.spread!.lowest.total,
      4,
    )
  })
})

describe('an export', () => {
  const bytesOf = async (stream: AsyncIterable<Uint8Array | string>) => {
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(Buffer.from(piece))
    return Buffer.concat(pieces)
  }

  it('holds every row, in CSV, Parquet and Excel alike', async () => {
    const { world, call, id, rows } = await opened()
    const folder = mkdtempSync(join(tmpdir(), 'ratebook-export-'))
    const file = async (format: 'csv' | 'parquet' | 'xlsx') => {
      const download = await world.reports.export({ id, format, rows: 'all' }, call)
      const path = join(folder, download.fileName)
      writeFileSync(path, await bytesOf(download.stream))
      return path
    }
    const shown = rows.map((row) => reportColumnIds.map((column) => String(row[column] ?? '')))
    const csv = parse(readFileSync(await file('csv'))) as string[][]
    expect(csv).toEqual([[...reportColumnIds], ...shown])
    const engine = await openEngine(':memory:')
    const parquet = await engine.rows(`select * from '${await file('parquet')}'`)
    await engine.close()
    expect(parquet.map((row) => reportColumnIds.map((column) => plainText(row[column])))).toEqual(shown)
    const sheet = join(folder, 'sheet.csv')
    await writeSheetAsText(await file('xlsx'), sheet)
    const [, ...cells] = parse(readFileSync(sheet)) as string[][]
    expect(cells).toEqual(shown)
  })

  it('of what the saved configuration leaves holds just that', async () => {
    const { world, call, id } = await opened()
    const filter = { op: 'AND', filters: [{ op: 'EQUAL', field: 'billing_code', value: '99214' }] }
    const config = configured({ dropdownFilters: filter, isBestRateChosen: true })
    await world.reports.act({ id, contractModelConfigAction: { config } }, { ...call, ifMatch: '*' })
    const { data } = await world.reports.rows({ id, ...all }, call)
    const { stream } = await world.reports.export({ id, format: 'csv', rows: 'saved' }, call)
    expect(parse(await bytesOf(stream))).toHaveLength(data.length + 1)
    expect(new Set(data.map((row) => row['billing_code']))).toEqual(new Set(['99214']))
  })

  it('and rows are narrowed by the filters of the table, and nothing that is computed', async () => {
    const { world, call, id } = await opened()
    const only = (field: string, value: string) => ({
      op: 'AND',
      filters: [{ op: 'EQUAL', field, value }],
    })
    const rowsOf = async (request: object = {}) =>
      (await world.reports.rows({ id, ...all, ...request }, call)).data
    const every = await rowsOf({ config: configured({}) })
    const { payer } = every[0] as { payer: string }
    const dropdownFilters = only('billing_code', '99214')
    const save = (config: object) =>
      world.reports.act(
        { id, contractModelConfigAction: { config: configured(config) } },
        { ...call, ifMatch: '*' },
      )
    await save({ dropdownFilters })
    const question = {
      groupBy: ['payer' as const],
      unit: 'dollars' as const,
      measure: 'negotiated_rate' as const,
    }
    const percentiles = () => world.reports.percentiles({ id, ...question, percentiles: [50] }, call)
    const computed = await percentiles()
    await save({ dropdownFilters, tableFilters: only('payer', payer) })
    const both = every.filter((row) => row['billing_code'] === '99214' && row['payer'] === payer)
    expect(both.length).toBeGreaterThan(0)
    expect(both.length).toBeLessThan(every.filter((row) => row['billing_code'] === '99214').length)
    expect(await rowsOf()).toEqual(both)
    expect(await percentiles()).toEqual(computed)
    const { stream } = await world.reports.export({ id, format: 'csv', rows: 'saved' }, call)
    expect(parse(await bytesOf(stream))).toHaveLength(both.length + 1)
    // A request that brings its own filter says all there is to say; an object of another form is the screen's.
    expect(await rowsOf({ filter: { op: 'AND', filters: [] } })).toEqual(every)
    await save({ tableFilters: { any: ['thing'] } })
    expect(await rowsOf()).toEqual(every)
  })

  it('goes on in further sheets where one is full', async () => {
    const chunks = (async function* () {
      yield [
        [1, 2, 3, 4, 5],
        ['a', '<b>', '&', null, 'e'],
      ]
    })()
    const bytes = await bytesOf(workbook(['Number', 'Text'], chunks, 5, 3))
    const path = join(mkdtempSync(join(tmpdir(), 'ratebook-export-')), 'book.xlsx')
    writeFileSync(path, bytes)
    await writeSheetAsText(path, `${path}.csv`)
    expect(parse(readFileSync(`${path}.csv`))).toEqual([
      ['Number', 'Text'],
      ['1', 'a'],
      ['2', '<b>'],
    ])
    expect(bytes.toString('latin1').match(/xl\/worksheets\/sheet\d\.xml/g)).toHaveLength(6)
  })
})

const plainText = (value: unknown) => {
  if (value === null || value === undefined) return ''
  const text = (value as string | number | bigint).toString()
  return /^-?\d+\.\d{4}$/.test(text) ? String(Number(text)) : text
}
