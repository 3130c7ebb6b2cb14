import type { z } from 'zod'
import type {
  NpiSearchResult,
  npis as npisOperation,
  npiSearch as npiSearchOperation,
  ProviderRecord,
} from '../operations/providers.ts'
import { countyValue } from './npi-entries.ts'
import { filtersOf, rowsOfCode, rowsOfDigits, rowsOfFilters, rowsOfName, type Lookup } from './found.ts'
import type { OpenedProviders } from './opened.ts'
import type { NpiRecord } from './records.ts'
import { digitsOf, inTurns, picked, suggestionsMost, suggestionTerm } from './terms.ts'

export type NpisRequest = z.output<typeof npisOperation.request>
export type NpiSearchRequest = z.output<typeof npiSearchOperation.request>

const npiDigits = 10
const einDigits = 9
const ccnCharacters = 6
const relatedMost = 25
const relatedLooked = 200

/** The providers with these NPIs, in the order asked; unknown ones are left out. */
export function npis(opened: OpenedProviders, request: NpisRequest): ProviderRecord[] {
  return request.npis.flatMap((npi) => {
    const row = opened.npis.rowOf(npi)
    if (row === undefined) return []
    const record = opened.npi(row)
    const whole: ProviderRecord = {
      npi: record.npi,
      name: record.name,
      credentials: record.credentials,
      primaryTaxonomyCode: primaryTaxonomy(record),
      state: record.state,
      counties: [...record.counties],
      entityType: record.entity === '' ? '' : record.entity === 'i' ? 'individual' : 'group',
      payers: opened.payerNames(record.payers),
      tins: [...record.tins],
    }
    return [picked(whole, request.includeFields)]
  })
}

/** Providers by name, other name, identifier or the beginning of one, the likeliest first. */
export function npiSearch(opened: OpenedProviders, request: NpiSearchRequest): NpiSearchResult[] {
  if (request.suggestionsOnly === true) {
    const term = suggestionTerm(request.searchTerm === undefined ? [] : [request.searchTerm], 'searchTerm')
    return npiSearchRows(opened, request, term, suggestionsMost, true).map((row) =>
      suggestion(opened.npi(row)),
    )
  }
  const term = request.searchTerm?.trim() ?? ''
  const fields = request.includeFields
  return npiSearchRows(opened, request, term, request.limit, false).map((row) => {
    const result = searchResult(
      opened,
      opened.npi(row),
      fields === undefined || fields.includes('relatedNpis'),
    )
    return picked(result, fields, ['value', 'title']) as NpiSearchResult
  })
}

export type NpiFilters = Partial<
  Pick<NpiSearchRequest, 'matchFields' | 'inNetworkPayers' | 'entityTypes'> & {
    states: readonly string[] | undefined
    taxonomyCodes: readonly string[] | undefined
    counties: readonly string[] | undefined
  }
>

/** The rows of the index that a term and filters lead to, the likeliest first. */
export function npiSearchRows(
  opened: OpenedProviders,
  request: NpiFilters,
  term: string,
  limit: number,
  typing: boolean,
): number[] {
  const index = opened.npis
  const filters = filtersOf(index, {
    state: request.states?.map((state) => state.toUpperCase()),
    taxonomy: request.taxonomyCodes,
    county: request.counties?.map(countyValue),
    entity: request.entityTypes,
    payer: request.inNetworkPayers,
  })
  const lookup: Lookup = { index, filters, limit, typing }
  if (term === '') return rowsOfFilters(lookup)
  const fields = new Set<string>(request.matchFields ?? ['displayName', 'ccns', 'otherName', 'tins'])
  const byNumber = identifierRows(lookup, term, fields)
  const digits = digitsOf(term)
  // A number that leads somewhere is meant as one; names that hold it fill what is left.
  if (
    byNumber.length >= limit ||
    (digits !== undefined && digits.length >= ccnCharacters && byNumber.length > 0)
  )
    return byNumber.slice(0, limit)
  const byName = rowsOfName(lookup, term, {
    display: fields.has('displayName'),
    others: fields.has('otherName'),
  })
  return [...new Set([...byNumber, ...byName])].slice(0, limit)
}

/** Rows that a term leads to as an NPI, a TIN, a hospital number or the beginning of one. */
function identifierRows(lookup: Lookup, term: string, fields: ReadonlySet<string>): number[] {
  const digits = digitsOf(term)
  const lists: number[][] = []
  if (digits !== undefined && digits.length >= 3) {
    lists.push(rowsOfDigits(lookup, digits, npiDigits))
    if (fields.has('tins') && digits.length <= npiDigits)
      lists.push(rowsOfCode(lookup, `t${digits}`, digits.length >= einDigits))
  }
  const ccn = term.toUpperCase()
  if (fields.has('ccns') && /^[0-9A-Z]{6}$/.test(ccn) && /\d/.test(ccn))
    lists.push(rowsOfCode(lookup, `c${ccn}`, true))
  else if (fields.has('ccns') && digits !== undefined && digits.length >= 3 && digits.length < ccnCharacters)
    lists.push(rowsOfCode(lookup, `c${digits}`, false))
  return inTurns(lists, lookup.limit)
}

const titleOf = (record: NpiRecord) =>
  record.state === '' ? record.name : `${record.name} (${record.state})`
const entityWord = (record: NpiRecord) =>
  record.entity === '' ? '' : record.entity === 'i' ? 'Individual' : 'Group'
export const primaryTaxonomy = (record: NpiRecord) => record.primary || (record.taxonomies[0] ?? '')

const suggestion = (record: NpiRecord): NpiSearchResult => ({
  value: record.npi,
  title: titleOf(record),
  state: record.state,
  entityType: entityWord(record),
})

function searchResult(opened: OpenedProviders, record: NpiRecord, withRelated: boolean): NpiSearchResult {
  return {
    value: record.npi,
    title: titleOf(record),
    npi: String(record.npi),
    displayName: record.name,
    state: record.state,
    counties: joined(record.counties),
    ccns: joined(record.ccns),
    credentials: record.credentials,
    taxonomyCodes: joined(record.taxonomies),
    entityType: entityWord(record),
    relatedNpis: withRelated ? joined(relatedNpis(opened, record)) : '',
    inNetworkPayers: joined(opened.payerNames(record.payers)),
    tins: joined(record.tins),
    otherName: joined(record.others),
  }
}

const joined = (values: readonly (string | number)[]) => values.join(', ')

/** Other providers that payers list under the same TINs: a sample, organisations first. */
function relatedNpis(opened: OpenedProviders, record: NpiRecord): number[] {
  const rows = new Set<number>()
  for (const tin of record.tins) {
    if (rows.size >= relatedLooked) break
    for (const row of opened.npis.rowsOfCode(`t${String(tin).padStart(9, '0')}`, relatedLooked)) rows.add(row)
  }
  const isGroup = opened.npis.columns.test('entity', ['Group'])
  return [...rows]
    .sort((a, b) => Number(isGroup.passes(b)) - Number(isGroup.passes(a)) || a - b)
    .map((row) => opened.npis.keys.at(row))
    .filter((npi) => npi !== record.npi)
    .slice(0, relatedMost)
}
