import type { z } from 'zod'
import type {
  ccns as ccnsOperation,
  ccnSearch as ccnSearchOperation,
  HospitalRecord as HospitalAnswer,
  HospitalSearchResult,
} from '../operations/providers.ts'
import { filtersOf, passing, rowsOfFilters, rowsOfName, type Lookup } from './found.ts'
import type { OpenedProviders } from './opened.ts'
import { ccnKey, type HospitalRecord } from './records.ts'
import { inTurns, picked, suggestionsMost, suggestionTerm } from './terms.ts'

export type CcnsRequest = z.output<typeof ccnsOperation.request>
export type CcnSearchRequest = z.output<typeof ccnSearchOperation.request>

const ccnCharacters = 6
const ccnLettersLeast = 3

/** The hospitals with these CCNs, by CCN; unknown ones and those that a filter drops are left out. */
export function ccns(opened: OpenedProviders, request: CcnsRequest): Record<string, HospitalAnswer> {
  const passes = passing(kindFilters(opened, request))
  const found: Record<string, HospitalAnswer> = {}
  for (const ccn of request.ccns) {
    const row = opened.hospitals.rowOf(ccnKey(ccn))
    if (row === undefined || !passes(row)) continue
    const record = opened.hospital(row)
    const whole = {
      ccn: record.ccn,
      name: record.name,
      state: record.state,
      city: record.city,
      npi: record.npi,
      ...details(opened, record),
    }
    found[ccn] = picked(whole, request.includeFields, ['ccn']) as HospitalAnswer
  }
  return found
}

/** Hospitals by name, place or CCN, several terms at once; filters alone list them by name. */
export function ccnSearch(opened: OpenedProviders, request: CcnSearchRequest): HospitalSearchResult[] {
  if (request.suggestionsOnly === true) {
    const term = suggestionTerm(request.searchTerms ?? [], 'searchTerms')
    return termRows(lookupOf(opened, request, suggestionsMost, true), term).map((row) => {
      const record = opened.hospital(row)
      return { value: record.ccn, title: titleOf(record), state: record.state ?? '' }
    })
  }
  const fields = request.includeFields ?? undefined
  return hospitalRows(opened, request, request.searchTerms ?? [], request.limit).map((row) => {
    const record = opened.hospital(row)
    // The interface promises these eight of every result; includeFields adds to them.
    const always = {
      value: record.ccn,
      ccn: record.ccn,
      title: titleOf(record),
      grouping: record.healthSystem,
      name: record.name,
      city: record.city ?? '',
      state: record.state ?? '',
      affiliatedHealthSystem: record.healthSystem,
    }
    const more = { npi: record.npi, ...details(opened, record) }
    return { ...always, ...(fields === undefined ? {} : picked(more, fields)) }
  })
}

type HospitalFilters = Partial<
  Pick<CcnSearchRequest, 'state' | 'ccn' | 'ccnCategories' | 'ccnFacilityTypes'>
> & {
  readonly states?: readonly string[] | undefined
}

/** The rows of the index that terms and filters lead to; without a term, all that pass, by name. */
export function hospitalRows(
  opened: OpenedProviders,
  request: HospitalFilters,
  asked: readonly string[],
  limit: number,
): number[] {
  const lookup = lookupOf(opened, request, limit, false)
  const passes = passing(lookup.filters)
  const terms = asked.filter((term) => term.trim() !== '')
  if (request.ccn !== undefined) {
    const row = opened.hospitals.rowOf(ccnKey(request.ccn))
    const exact = row !== undefined && passes(row) ? [row] : []
    return inTurns([exact, ...terms.map((term) => termRows(lookup, term))], limit)
  }
  if (terms.length > 0)
    return inTurns(
      terms.map((term) => termRows(lookup, term)),
      limit,
    )
  const all = rowsOfFilters({ ...lookup, limit: opened.hospitals.rows })
  const names = new Map(all.map((row) => [row, opened.hospital(row).name]))
  return all
    .sort((a, b) => (names.get(a) ?? '').localeCompare(names.get(b) ?? '', 'en') || a - b)
    .slice(0, limit)
}

/** Rows that one term leads to: as a CCN or the beginning of one, then as a name or a place. */
function termRows(lookup: Lookup, term: string): number[] {
  const bare = term.trim().toUpperCase()
  const passes = passing(lookup.filters)
  const numbered: number[] = []
  if (
    /^[0-9A-Z]+$/.test(bare) &&
    /^\d/.test(bare) &&
    bare.length >= ccnLettersLeast &&
    bare.length <= ccnCharacters
  ) {
    const from = ccnKey(bare.padEnd(ccnCharacters, '0'))
    const through = ccnKey(bare.padEnd(ccnCharacters, 'Z'))
    numbered.push(...lookup.index.keys.rowsBetween(from, through, lookup.limit, passes))
  }
  if (numbered.length > 0 && bare.length === ccnCharacters) return numbered
  const named = rowsOfName(lookup, term, { display: true, others: true })
  return [...new Set([...numbered, ...named])].slice(0, lookup.limit)
}

function lookupOf(opened: OpenedProviders, request: HospitalFilters, limit: number, typing: boolean): Lookup {
  const index = opened.hospitals
  const filters = [
    ...filtersOf(index, { state: request.states }),
    ...filtersOf(index, { state: request.state === undefined ? undefined : [request.state] }),
    ...kindFilters(opened, request),
  ]
  return { index, filters, limit, typing }
}

/** Category and facility type, as decoded from the CCN; null asks for those that have none. */
const kindFilters = (
  opened: OpenedProviders,
  request: Pick<HospitalFilters, 'ccnCategories' | 'ccnFacilityTypes'>,
) =>
  filtersOf(opened.hospitals, {
    category: request.ccnCategories?.map((category) => category ?? ''),
    facility: request.ccnFacilityTypes?.map((type) => type ?? ''),
  })

const titleOf = ({ name, city, state }: HospitalRecord) => [name, city, state].filter(Boolean).join(', ')

function details(opened: OpenedProviders, record: HospitalRecord) {
  const place = [record.city, [record.state, record.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return {
    street: record.street,
    zipCode: record.zip,
    address: [record.street, place].filter(Boolean).join(', ') || null,
    phone: record.phone,
    providerType: record.providerType,
    ownership: record.ownership,
    bedCount: record.bedCount,
    careQuality: record.careQuality === null ? null : String(record.careQuality),
    clinicalServices: [
      ...(record.emergency === true ? ['Emergency services'] : []),
      ...(record.unit === null ? [] : [record.unit]),
    ],
    affiliatedHealthSystem: record.healthSystem,
    tins: [...record.tins],
    inNetworkPayers: opened.payerNames(record.payers),
    groupNpis: [...record.npis],
  }
}
