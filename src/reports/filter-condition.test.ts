import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { naiveMatch } from '../../test/support/naive-filter.ts'
import type { Failure } from '../errors.ts'
import { parseRequest } from '../operations/parse.ts'
import { columnOf, reportColumnIds, type ReportColumnId } from '../operations/report-columns.ts'
import { comparingOperators, ReportFilterTree, type ReportFilterGroup } from '../operations/report-filter.ts'
import { openEngine, type Engine } from '../warehouse/engine.ts'
import { filterCondition } from './filter-condition.ts'
import { Parameters } from './parameters.ts'

const fields = ['payer', 'tin_name', 'networks', 'npi', 'tin', 'negotiated_rate', 'medicare_percent'] as const
const words = [
  'Aetna',
  'aetna choice',
  'CHOICE pos-II',
  'Élan vital',
  'élan',
  '10.5',
  'a_b',
  '100%',
  '',
  "O'Hara",
  '12',
  '0.0001',
]
const numbers = [0, 12, 10.5, 0.0001, -3.25, 1_234_567_893, 99_999_999.9999]

type Row = Record<(typeof fields)[number], string | number | null>
const texts = fc.option(fc.constantFrom(...words), { nil: null, freq: 4 })
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    payer: texts,
    tin_name: texts,
    networks: texts,
    npi: fc.option(fc.constantFrom(12, 1_234_567_893), { nil: null, freq: 4 }),
    tin: fc.option(fc.constantFrom(0, 12, 100_000_001), { nil: null, freq: 4 }),
    negotiated_rate: fc.option(fc.constantFrom(...numbers), { nil: null, freq: 4 }),
    medicare_percent: fc.option(fc.constantFrom(...numbers), { nil: null, freq: 4 }),
  }),
  { maxLength: 12 },
)

const single = fc.constantFrom(...fields).chain((field) => {
  const isText = columnOf(field).kind === 'text'
  const value = isText
    ? fc.oneof(fc.constantFrom(...words), fc.constantFrom(...numbers), fc.boolean())
    : fc.oneof(fc.constantFrom(...numbers), fc.constantFrom('12', ' 10.5 ', '1e1'))
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({ op: fc.constantFrom(...comparingOperators), field: fc.constant(field), value }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constantFrom('IS_NULL' as const, 'IS_NOT_NULL' as const),
        field: fc.constant(field),
      }),
    },
  )
})
const { tree } = fc.letrec<{ tree: ReportFilterGroup; member: ReportFilterGroup['filters'][number] }>(
  (tie) => ({
    member: fc.oneof({ depthSize: 'small' }, single, tie('tree')),
    tree: fc.record({
      op: fc.constantFrom('AND' as const, 'OR' as const),
      filters: fc.array(tie('member'), { maxLength: 3 }),
    }),
  }),
)

let engine: Engine
beforeAll(async () => {
  engine = await openEngine(':memory:', { threads: 1 })
  const columns = reportColumnIds.map((id) => `${id} ${columnOf(id).kind === 'text' ? 'varchar' : 'bigint'}`)
  await engine.run(`create table report_rows (place integer, ${columns.join(', ')})`)
})
afterAll(() => engine.close())

/** A row's stored form: money and percents in ten-thousandths. */
const stored = (id: ReportColumnId, value: string | number | null | undefined) => {
  if (value === null || value === undefined) return null
  const { kind } = columnOf(id)
  return kind === 'text' || kind === 'number' ? value : Math.round(Number(value) * 10_000)
}

async function matching(given: readonly Row[], filter: ReportFilterGroup): Promise<number[]> {
  await engine.run('delete from report_rows')
  const lines = given.map((row, place) => {
    const values = reportColumnIds.map((id) => {
      const value = stored(id, (row as Partial<Record<ReportColumnId, string | number | null>>)[id])
      return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
    })
    return `(${place}, ${values.join(', ')})`
  })
  if (lines.length > 0) await engine.run(`insert into report_rows values ${lines.join(', ')}`)
  const parameters = new Parameters()
  const condition = filterCondition(filter, parameters)
  const found = await engine.rows<{ place: number }>(
    `select place from report_rows where ${condition} order by place`,
    parameters.values,
  )
  return found.map(({ place }) => place)
}

describe('a filter tree', () => {
  it('keeps the rows that a plain reading of it keeps', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(rows, tree, async (given, filter) => {
        const wanted = given.flatMap((row, place) => (naiveMatch(row, filter) ? [place] : []))
        expect(await matching(given, filter)).toEqual(wanted)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['EQUAL', 'AETNA', [0]],
    ['NOT_EQUAL', 'aetna', [1, 2]],
    ['CONTAINS', 'choice', [1]],
    ['NOT_CONTAINS', 'CHOICE', [0, 2]],
    ['MATCH_WORDS', 'ii pos', [1]],
    ['MATCH_WORDS', 'po', []],
    ['GREATER_THAN', 'b', [1]],
  ] as const)('knows what %s %s means, nulls included', async (op, value, places) => {
    const empty = {
      tin_name: null,
      networks: null,
      npi: null,
      tin: null,
      negotiated_rate: null,
      medicare_percent: null,
    }
    const given = ['Aetna', 'Choice POS II', null].map((payer) => ({ ...empty, payer }))
    expect(await matching(given, { op: 'AND', filters: [{ op, field: 'payer', value }] })).toEqual(places)
  })

  it('never lets a value become SQL', async () => {
    const value = `x' or 1=1 --`
    const parameters = new Parameters()
    const condition = filterCondition(
      { op: 'OR', filters: [{ op: 'EQUAL', field: 'payer', value }] },
      parameters,
    )
    expect(condition).not.toContain('1=1')
    expect(parameters.values.map((bound) => bound.value)).toEqual([value])
  })

  it('names every column that there is not, and every value that is no number', () => {
    const filter: ReportFilterGroup = {
      op: 'AND',
      filters: [
        { op: 'EQUAL', field: 'payr', value: 'x' },
        {
          op: 'OR',
          filters: [
            { op: 'LESS_THAN', field: 'negotiated_rate', value: 'much' },
            { op: 'IS_NULL', field: 'row' },
          ],
        },
      ],
    }
    const paths = () => {
      try {
        return filterCondition(filter, new Parameters())
      } catch (error) {
        return (error as Failure).details.problems?.map(({ path }) => path)
      }
    }
    expect(paths()).toEqual([
      'filter.filters[0].field',
      'filter.filters[1].filters[0].value',
      'filter.filters[1].filters[1].field',
    ])
  })

  const deep = (levels: number): ReportFilterGroup =>
    levels === 1 ? { op: 'AND', filters: [] } : { op: 'AND', filters: [deep(levels - 1)] }
  it.each([
    ['an empty group', { op: 'OR', filters: [] }, true],
    ['ten levels', deep(10), true],
    ['eleven levels', deep(11), false],
    ['a list as value', { op: 'AND', filters: [{ op: 'EQUAL', field: 'payer', value: ['x'] }] }, false],
    ['null as value', { op: 'AND', filters: [{ op: 'EQUAL', field: 'payer', value: null }] }, false],
    ['no value', { op: 'AND', filters: [{ op: 'EQUAL', field: 'payer' }] }, false],
    ['a value with IS_NULL', { op: 'AND', filters: [{ op: 'IS_NULL', field: 'payer', value: 1 }] }, false],
    ['an operator that is none', { op: 'AND', filters: [{ op: 'LIKE', field: 'payer', value: 'x' }] }, false],
    ['a property too many', { op: 'AND', filters: [], not: true }, false],
    [
      '501 filters',
      { op: 'AND', filters: Array.from({ length: 501 }, () => ({ op: 'IS_NULL', field: 'payer' })) },
      false,
    ],
  ])('is read or refused: %s', (_, sent, isTree) => {
    expect(ReportFilterTree.safeParse(sent).success).toBe(isTree)
  })

  it('refuses a tree of a hundred thousand levels without walking down it', () => {
    let tree: unknown = { op: 'AND', filters: [] }
    for (let level = 0; level < 100_000; level++) tree = { op: 'AND', filters: [tree] }
    expect(() => parseRequest(ReportFilterTree, tree)).toThrow('groups stand at most 10 deep')
  })
})
