import { expect } from 'vitest'
import { marketBenchmarks } from '../../../src/operations/market-benchmarks.ts'
import { refuses, type Wrong } from '../../support/doors.ts'

const { filters, metrics } = marketBenchmarks.example.request as { filters: object; metrics: object }
const filtered = (what: string, change: object, problems: Wrong[2]): Wrong => [
  what,
  { filters: { ...filters, ...change }, metrics },
  problems,
]
const required = 'required'

refuses('marketBenchmarks', [
  ['nothing', {}, { filters: required, metrics: required }],
  [
    'empty filters and metrics',
    { filters: {}, metrics: {} },
    {
      'filters.states': required,
      'filters.taxonomyCodes': required,
      'filters.payers': required,
      'filters.billingCodeAndTypes': required,
      'metrics.aggregations': required,
    },
  ],
  filtered(
    'empty lists',
    { states: [], taxonomyCodes: [], payers: [], billingCodeAndTypes: [] },
    {
      'filters.states': 'name at least one',
      'filters.taxonomyCodes': 'name at least one',
      'filters.payers': 'name at least one',
      'filters.billingCodeAndTypes': 'name at least one',
    },
  ),
  filtered(
    'words off their lists',
    {
      states: ['FLA'],
      taxonomyCodes: ['207RC0000Z'],
      payers: ['Atena'],
      entityTypes: ['Group'],
      billingClasses: ['both'],
      serviceCodes: ['11', '98'],
      billingCodeModifiers: ['50'],
      negotiatedTypes: ['negotiate'],
    },
    {
      'filters.states[0]': expect.stringMatching(/^"FLA" is not a state; nearest: "FL", /),
      'filters.taxonomyCodes[0]': expect.stringMatching(
        /^"207RC0000Z" is not a taxonomy code; nearest: ("\w+"(, )?){3}$/,
      ),
      'filters.payers[0]': expect.stringMatching(/^"Atena" is not a payer; nearest: "Aetna", /),
      'filters.entityTypes[0]': expect.stringContaining('allowed: "individual", "group"'),
      'filters.billingClasses[0]': expect.stringContaining('allowed: "professional", "institutional"'),
      'filters.serviceCodes[1]': expect.stringContaining('"98" is not a'),
      'filters.billingCodeModifiers[0]': expect.stringContaining('allowed: "none", "TC", "26"'),
      'filters.negotiatedTypes[0]': expect.stringContaining('"negotiated"'),
    },
  ),
  filtered(
    'wrong codes, ZIPs and months',
    {
      billingCodeAndTypes: [{ code: '99213' }, { code: '99213', type: 'CTP' }, { code: '', type: 'CPT' }],
      zipCodes: ['3310'],
      yearMonths: [{ year: 2026, month: 13 }, { year: 2026 }, '2026-05'],
    },
    {
      'filters.billingCodeAndTypes[0].type': expect.stringMatching(/missing|required/),
      'filters.billingCodeAndTypes[1].type': expect.stringContaining('"CTP" is not a billing code type'),
      'filters.billingCodeAndTypes[2].code': expect.any(String),
      'filters.zipCodes[0]': 'a ZIP code has five digits',
      'filters.yearMonths[0].month': expect.any(String),
      'filters.yearMonths[1].month': required,
      'filters.yearMonths[2]': 'expected object, received string',
    },
  ),
  filtered(
    '1,001 codes',
    { billingCodeAndTypes: Array(1_001).fill(null) },
    { 'filters.billingCodeAndTypes': 'at most 1,000' },
  ),
  filtered(
    'a misspelt filter',
    { payerz: ['Aetna'] },
    { 'filters.payerz': expect.stringMatching(/^unknown property; nearest: payers, /) },
  ),
  [
    'wrong metrics and grouping',
    {
      filters,
      metrics: { aggregations: ['percentile_6'], comparedTo: 'medicare_2019' },
      groupBy: ['planName'],
    },
    {
      'metrics.aggregations[0]': expect.stringMatching(
        /^"percentile_6" is not an? .*; nearest: "percentile_60", /,
      ),
      'metrics.comparedTo': expect.stringContaining('"medicare_2019" is not'),
      'groupBy[0]': expect.stringContaining('"planName" is not'),
    },
  ],
  [
    'no aggregation',
    { filters, metrics: { aggregations: [] } },
    { 'metrics.aggregations': 'name at least one' },
  ],
])
