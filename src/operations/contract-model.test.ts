import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure, Problem } from '../errors.ts'
import {
  manualRateKey,
  SavedContractModelConfig,
  tinFromPasted,
  TinEntry,
  type CompetitorColumn,
} from './contract-model.ts'
import { parseRequest } from './parse.ts'
import { ReportActionRequest } from './reports.ts'

const tin = (value: unknown) => ({ value })
const competitor = (more: object = {}) => ({
  id: 'eastside1',
  label: 'Eastside',
  tins: [tin(1)],
  aggregation: 'median',
  ...more,
})
const many = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at))
const mix = (count: number) => many(count, (at) => ({ key: `k${at}`, percentOfBusiness: 1 }))

function problems(config: unknown): string[] {
  try {
    parseRequest(SavedContractModelConfig, config)
    return []
  } catch (error) {
    const { problems: found = [] } = (error as Failure).details
    return found.map(({ path }: Problem) => path)
  }
}

describe('a pasted TIN', () => {
  it.each([
    ['12-3456789', 123456789],
    ['012345678', 12345678],
    ['01234567', 1234567],
    [' 1 234 567 890 ', 1234567890],
    ['00-0000001', 1],
    ['1234567', undefined],
    ['12345678901', undefined],
    ['12-34567x9', undefined],
    ['', undefined],
  ])('%s is %s', (text, value) => expect(tinFromPasted(text)).toBe(value))

  it('means the same however it is formatted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 10 }),
        fc.array(fc.constantFrom('-', ' ', '.', ''), { minLength: 10, maxLength: 10 }),
        (digits, marks) => {
          const pasted = digits.map((digit, at) => `${marks[at]}${digit}`).join('')
          expect(parseRequest(TinEntry, { value: pasted })).toEqual({
            value: Number(digits.join('')),
            title: String(Number(digits.join(''))),
            grouping: null,
          })
        },
      ),
    )
  })
})

describe('a saved contract-model configuration', () => {
  it('may be empty, and then has its defaults', () =>
    expect(parseRequest(SavedContractModelConfig, {})).toEqual({
      baselineBenchmark: 'p75',
      baselineColumn: 'negotiated_rate',
    }))

  it('keeps what was given: titles, groupings and scores too', () => {
    const entry = { value: 5, title: 'Five', grouping: 'East', score: 0.5 }
    const config = { yourTins: [entry], competitorColumns: [competitor({ tins: [entry] })] }
    const { yourTins, competitorColumns } = parseRequest(SavedContractModelConfig, config)
    expect(yourTins).toEqual([entry])
    expect((competitorColumns as CompetitorColumn[])[0]!.tins).toEqual([entry])
  })

  it.each([
    ['100 TINs', { yourTins: many(100, tin) }, []],
    ['101 TINs', { yourTins: many(101, tin) }, ['yourTins']],
    ['a TIN of eleven digits', { yourTins: [tin(10_000_000_000)] }, ['yourTins[0].value']],
    ['a TIN below zero', { yourTins: [tin(-1)] }, ['yourTins[0].value']],
    ['a TIN of seven pasted digits', { yourTins: [tin('1234567')] }, ['yourTins[0].value']],
    ['a title of 501', { yourTins: [{ value: 1, title: 'x'.repeat(501) }] }, ['yourTins[0].title']],
    ['eight competitors', { competitorColumns: many(8, (at) => competitor({ id: `eastside${at}` })) }, []],
    [
      'nine competitors',
      { competitorColumns: many(9, (at) => competitor({ id: `eastside${at}` })) },
      ['competitorColumns'],
    ],
    ['a short id', { competitorColumns: [competitor({ id: 'east' })] }, ['competitorColumns[0].id']],
    [
      'an id with capitals',
      { competitorColumns: [competitor({ id: 'Eastside1' })] },
      ['competitorColumns[0].id'],
    ],
    ['the same id twice', { competitorColumns: [competitor(), competitor()] }, ['competitorColumns']],
    ['no label', { competitorColumns: [competitor({ label: '' })] }, ['competitorColumns[0].label']],
    ['no TINs', { competitorColumns: [competitor({ tins: [] })] }, ['competitorColumns[0].tins']],
    [
      '101 TINs of a competitor',
      { competitorColumns: [competitor({ tins: many(101, tin) })] },
      ['competitorColumns[0].tins'],
    ],
    [
      'a TIN twice',
      { competitorColumns: [competitor({ tins: [tin(12345678), tin('12-345678')] })] },
      ['competitorColumns[0].tins'],
    ],
    [
      'an aggregation that is none',
      { competitorColumns: [competitor({ aggregation: 'sum' })] },
      ['competitorColumns[0].aggregation'],
    ],
    [
      'a property of a competitor',
      { competitorColumns: [competitor({ color: 'red' })] },
      ['competitorColumns[0].color'],
    ],
    ['1,000 mix entries', { payerMix: mix(1_000), billingCodeMix: mix(1_000) }, []],
    [
      '1,001 mix entries',
      { payerMix: mix(1_001), billingCodeMix: mix(1_001) },
      ['payerMix', 'billingCodeMix'],
    ],
    ['a mix entry without percent', { payerMix: [{ key: 'a' }] }, ['payerMix[0].percentOfBusiness']],
    ['a long revenue', { totalAnnualRevenue: '1'.repeat(65) }, ['totalAnnualRevenue']],
    ['10,000 manual rates', { manualRates: Object.fromEntries(many(10_000, (at) => [at, at])) }, []],
    [
      '10,001 manual rates',
      { manualRates: Object.fromEntries(many(10_001, (at) => [at, at])) },
      ['manualRates'],
    ],
    ['a manual rate in words', { manualRates: { a: 'much' } }, ['manualRates.a']],
    ['a tab that is none', { tabType: 'pie' }, ['tabType']],
    ['a sort without direction', { sorts: [{ id: 'payer' }] }, ['sorts[0].desc']],
    ['a filter tree', { dropdownFilters: { op: 'AND', filters: [] }, tableFilters: { any: ['thing'] } }, []],
    ['an empty filter tree', { dropdownFilters: {} }, []],
    ['a filter tree that is none', { dropdownFilters: { op: 'NOR', filters: [] } }, ['dropdownFilters.op']],
    ['another property', { theme: 'dark' }, ['theme']],
    ['249,000 characters', { tableFilters: { text: 'x'.repeat(249_000) } }, []],
    ['250,001 characters', { tableFilters: { text: 'x'.repeat(250_001) } }, ['']],
    ['any baseline', { baselineBenchmark: 'competitor_gone', baselineColumn: 'gone' }, []],
  ])('is read or refused: %s', (_, config, paths) => expect(problems(config)).toEqual(paths))

  it('names a manual rate by column and row', () =>
    expect(manualRateKey('manual', { payer: null, billing_code_type: 'CPT', billing_code: '99213' })).toBe(
      '["manual",null,"CPT","99213"]',
    ))
})

describe('a report action request', () => {
  it.each([
    ['nothing', {}, false],
    ['archiving', { archiveAction: { event: 'Archive' } }, true],
    [
      'all three',
      {
        archiveAction: { event: 'Unarchive' },
        deleteAction: { event: 'Delete' },
        contractModelConfigAction: { config: {} },
      },
      true,
    ],
    ['another event', { archiveAction: { event: 'Delete' } }, false],
    ['another action', { renameAction: { name: 'x' } }, false],
    ['a property too many', { deleteAction: { event: 'Delete', now: true } }, false],
    ['no configuration', { contractModelConfigAction: {} }, false],
  ])('is read or refused: %s', (_, request, isRead) => {
    expect(ReportActionRequest.safeParse(request).success).toBe(isRead)
  })
})
