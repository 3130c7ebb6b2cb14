import { expect } from 'vitest'
import { providerRates } from '../../../src/operations/provider-rates.ts'
import { refuses, type Wrong } from '../../support/doors.ts'

const example = providerRates.example.request as object
const changed = (what: string, change: object, problems: Wrong[2]): Wrong => [
  what,
  { ...example, ...change },
  problems,
]
const atLeastOne = 'name at least one, or leave it out'

refuses('providerRates', [
  ['nothing', {}, { providers: 'required', payers: 'required', billingCodeAndTypes: 'required' }],
  changed('nobody', { providers: {} }, { providers: 'name at least one of npis, tins, ccns' }),
  changed(
    'empty lists of providers',
    { providers: { npis: [], tins: [], ccns: [] } },
    { 'providers.npis': atLeastOne, 'providers.tins': atLeastOne, 'providers.ccns': atLeastOne },
  ),
  changed(
    'wrong identifiers',
    { providers: { npis: [1], tins: ['1'], ccns: ['1'] } },
    {
      'providers.npis[0]': 'an NPI has ten digits',
      'providers.tins[0]': 'expected number, received string',
      'providers.ccns[0]': expect.stringContaining('a CCN has six characters'),
    },
  ),
  changed(
    'an unknown identifier',
    { providers: { npi: [1] } },
    {
      providers: 'name at least one of npis, tins, ccns',
      'providers.npi': expect.stringMatching(/^unknown property; nearest: npis, /),
    },
  ),
  changed('no payer', { payers: [] }, { payers: 'name at least one' }),
  changed(
    '1,001 codes',
    { billingCodeAndTypes: Array(1_001).fill(null) },
    { billingCodeAndTypes: 'at most 1,000' },
  ),
  changed(
    'a page of no rows',
    { pagination: { pageSize: 0 } },
    { 'pagination.pageSize': expect.stringContaining('1') },
  ),
  changed(
    'a page of 10,001 rows',
    { pagination: { pageSize: 10_001 } },
    { 'pagination.pageSize': expect.stringContaining('10000') },
  ),
  changed(
    'a page of half a row',
    { pagination: { pageSize: 1.5 } },
    { 'pagination.pageSize': expect.stringContaining('int') },
  ),
  changed('an empty cursor', { pagination: { cursor: '' } }, { 'pagination.cursor': expect.any(String) }),
  changed(
    'an unknown page property',
    { pagination: { page: 2 } },
    { 'pagination.page': expect.stringContaining('unknown property; nearest: pageSize') },
  ),
  changed(
    'a wrong grouping',
    { groupBy: ['plan'] },
    { 'groupBy[0]': expect.stringMatching(/^"plan" is not .*nearest: "planName"/) },
  ),
])
