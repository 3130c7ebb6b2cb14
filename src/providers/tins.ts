import type { z } from 'zod'
import type {
  TinRecord as TinAnswer,
  tins as tinsOperation,
  tinSearch as tinSearchOperation,
  TinSearchResult,
} from '../operations/providers.ts'
import { tinFromNumber, tinTypeOf } from '../vocabulary/identifiers.ts'
import { filtersOf, passing, rowsOfDigits, rowsOfFilters, rowsOfName, type Lookup } from './found.ts'
import type { OpenedProviders } from './opened.ts'
import type { TinRecord } from './records.ts'
import { digitsOf, inTurns, picked, suggestionsMost, suggestionTerm } from './terms.ts'

export type TinsRequest = z.output<typeof tinsOperation.request>
export type TinSearchRequest = z.output<typeof tinSearchOperation.request>

const einDigits = 9
const npiDigits = 10

/** The taxpayers with these TINs, in the order asked; unknown ones are left out. */
export function tins(opened: OpenedProviders, request: TinsRequest): { tins: TinAnswer[] } {
  const found = request.tins.flatMap((tin) => {
    const row = opened.tins.rowOf(tin)
    if (row === undefined) return []
    const record = opened.tin(row)
    const whole: TinAnswer = {
      tin: record.tin,
      tinName: record.name,
      states: [...record.states],
      relatedGroupNpis: record.groups.map(String),
    }
    return [picked(whole, request.includeFields, ['tin']) as TinAnswer]
  })
  return { tins: found }
}

/** Taxpayers by name or number, several terms at once; those named in `tins` come first. */
export function tinSearch(opened: OpenedProviders, request: TinSearchRequest): TinSearchResult[] {
  const terms = request.searchTerms ?? (request.searchTerm === undefined ? [] : [request.searchTerm])
  if (request.suggestionsOnly === true) {
    const term = suggestionTerm(terms, request.searchTerms === undefined ? 'searchTerm' : 'searchTerms')
    return termRows(opened, request, lookupOf(opened, request, suggestionsMost, true), term).map((row) => {
      const record = opened.tin(row)
      return { value: record.tin, title: titleOf(record), state: record.states[0] ?? '' }
    })
  }
  return tinSearchRows(opened, request, terms, request.limit).map((row) =>
    picked(searchResult(opened.tin(row)), request.includeFields),
  )
}

type TinFilters = Partial<Pick<TinSearchRequest, 'matchFields' | 'tins' | 'tinTypes'>> & {
  readonly states?: readonly string[] | undefined
  readonly taxonomyCodes?: readonly string[] | undefined
}

/** The rows of the index that terms, numbers and filters lead to, the likeliest first. */
export function tinSearchRows(
  opened: OpenedProviders,
  request: TinFilters,
  terms: readonly string[],
  limit: number,
): number[] {
  const lookup = lookupOf(opened, request, limit, false)
  const asked = terms.filter((term) => term.trim() !== '')
  const named = (request.tins ?? [])
    .flatMap((tin) => opened.tins.rowOf(tin) ?? [])
    .filter(passing(lookup.filters))
  const rows =
    asked.length > 0
      ? inTurns(
          asked.map((term) => termRows(opened, request, lookup, term)),
          limit,
        )
      : request.tins === undefined
        ? rowsOfFilters(lookup)
        : []
  return [...new Set([...named, ...rows])].slice(0, limit)
}

function lookupOf(opened: OpenedProviders, request: TinFilters, limit: number, typing: boolean): Lookup {
  const index = opened.tins
  const filters = filtersOf(index, {
    state: request.states?.map((state) => state.toUpperCase()),
    taxonomy: request.taxonomyCodes,
    type: request.tinTypes,
  })
  return { index, filters, limit, typing }
}

/** Rows that one term leads to through the fields that the request matches on. */
function termRows(opened: OpenedProviders, request: TinFilters, lookup: Lookup, term: string): number[] {
  const fields = new Set<string>(request.matchFields ?? ['tinName', 'tinValue'])
  const digits = digitsOf(term)
  const lists: number[][] = []
  if (digits !== undefined && digits.length >= 3) {
    if (fields.has('tinValue'))
      lists.push(rowsOfDigits(lookup, digits, einDigits), rowsOfDigits(lookup, digits, npiDigits))
    if (fields.has('relatedGroupNpis') && digits.length === npiDigits)
      lists.push(tinsOfNpi(opened, lookup, Number(digits)))
  }
  // A state, a specialty or a type is a value, not a name: it matches whole.
  for (const [field, facet, value] of [
    ['tinState', 'state', term.trim().toUpperCase()],
    ['taxonomyCodes', 'taxonomy', term.trim().toUpperCase()],
    ['tinType', 'type', term.trim().toLowerCase()],
  ] as const)
    if (fields.has(field) && opened.tins.columns.valuesOf(facet).includes(value))
      lists.push(
        rowsOfFilters({
          ...lookup,
          filters: [...lookup.filters, ...filtersOf(opened.tins, { [facet]: [value] })],
        }),
      )
  const numbered = inTurns(lists, lookup.limit)
  const isNumber = digits !== undefined && digits.length >= einDigits && numbered.length > 0
  const byName =
    fields.has('tinName') && !isNumber ? rowsOfName(lookup, term, { display: true, others: true }) : []
  return [...new Set([...numbered, ...byName])].slice(0, lookup.limit)
}

function tinsOfNpi(opened: OpenedProviders, lookup: Lookup, npi: number): number[] {
  const row = opened.npis.rowOf(npi)
  const listed = row === undefined ? [] : (opened.npi(row).tins ?? [])
  return listed.flatMap((tin) => opened.tins.rowOf(tin) ?? []).filter(passing(lookup.filters))
}

const titleOf = ({ tin, name, states: [state] }: TinRecord) => {
  const called = name === '' ? `TIN ${tinFromNumber(tin)}` : name
  return state === undefined ? called : `${called} (${state})`
}

function searchResult(record: TinRecord): TinSearchResult {
  return {
    tinValue: record.tin,
    tinType: tinTypeOf(tinFromNumber(record.tin)),
    tinName: record.name,
    tinState: record.states[0] ?? '',
    taxonomyCodes: [...record.taxonomies],
    relatedGroupNpis: record.groups.map(String),
    numNpis: record.npis,
  }
}
