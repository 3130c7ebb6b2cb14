import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import type { Caller } from '../accounts/callers.ts'
import type { Service } from '../service.ts'
import { aggregationMeaning, aggregations } from '../vocabulary/aggregations.ts'
import { negotiatedTypes, states } from '../vocabulary/enums.ts'
import { payers } from '../vocabulary/payers.ts'
import { taxonomies } from '../vocabulary/taxonomy.ts'
import { specialtiesLike } from './failure-text.ts'

const scheme = 'ratebook://'
const mimeType = 'application/json'

/** A list of allowed values that a model reads before it fills an argument. */
interface OptionList {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly values: (service: Service, caller: Caller) => unknown
}

const negotiatedMeanings: Record<(typeof negotiatedTypes)[number], string> = {
  negotiated: 'A dollar amount agreed between payer and provider',
  derived: 'A dollar amount that the payer derived for the file, where the contract names none',
  'fee schedule': 'A dollar amount of the fee schedule that the contract refers to',
  percentage: 'A percent of billed charges, not dollars; in no market statistic unless asked for by name',
  'per diem': 'Dollars a day; in no market statistic unless asked for by name',
}

const optionLists: readonly OptionList[] = [
  {
    name: 'search-rates-options-payers',
    title: 'Payers',
    description:
      'Every payer identifier that the tools take, with the states it does business in (none = nationwide) and the periods that are loaded (none = no data)',
    values: payerOptions,
  },
  {
    name: 'search-rates-options-negotiated-types',
    title: 'Negotiated types',
    description: 'The values of negotiatedTypes and what each means',
    values: () => negotiatedTypes.map((value) => ({ value, meaning: negotiatedMeanings[value] })),
  },
  {
    name: 'search-rates-options-aggregations',
    title: 'Aggregations',
    description: 'The statistics of search_market_percentile_negotiated_rates and what each means',
    values: () => aggregations.map((value) => ({ value, meaning: aggregationMeaning(value) })),
  },
  {
    name: 'search-rates-options-taxonomies',
    title: 'Specialties',
    description: 'Every NUCC taxonomy code that the tools take, with its name',
    values: () => taxonomies.map(({ code, name }) => ({ value: code, name })),
  },
  {
    name: 'search-rates-options-states',
    title: 'States',
    description: 'The two-letter codes that the tools take',
    values: () => states,
  },
]

const byUri = new Map(optionLists.map((list) => [scheme + list.name, list]))

export const optionResources: readonly Resource[] = optionLists.map(({ name, title, description }) => ({
  uri: scheme + name,
  name,
  title,
  description,
  mimeType,
}))

const specialtyPrefix = `${scheme}search-rates-options-taxonomies/`

/** Specialties by words of their name, for those who do not want the whole list. */
export const optionTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${specialtyPrefix}{specialty}`,
    name: 'search-rates-options-taxonomies-by-name',
    title: 'Specialties by name',
    description: 'Taxonomy codes whose names share words with {specialty}, such as cardiology',
    mimeType,
  },
]

/** The values behind a resource; undefined where there is none such. */
export async function readOptions(
  service: Service,
  caller: Caller,
  uri: string,
): Promise<ReadResourceResult | undefined> {
  const list = byUri.get(uri)
  if (list) return contents(uri, await list.values(service, caller))
  if (!uri.startsWith(specialtyPrefix)) return undefined
  const asked = decoded(uri.slice(specialtyPrefix.length))
  if (asked === undefined) return undefined
  return contents(
    uri,
    specialtiesLike(asked, 25).map(({ code, name }) => ({ value: code, name })),
  )
}

const contents = (uri: string, values: unknown): ReadResourceResult => ({
  contents: [{ uri, mimeType, text: JSON.stringify(values) }],
})

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

async function payerOptions(service: Service, caller: Caller): Promise<unknown> {
  const signal = AbortSignal.timeout(service.settings.RATEBOOK_ANSWER_TIMEOUT_MS)
  const loaded =
    (await service.answers.payers?.({}, { caller, signal, header: () => {}, sent: () => undefined })) ?? []
  const periods = new Map(loaded.map(({ payer, yearMonths }) => [payer, yearMonths]))
  return payers()
    .map(({ payer, name, states }) => ({ value: payer, name, states, yearMonths: periods.get(payer) ?? [] }))
    .sort((a, b) => Number(b.yearMonths.length > 0) - Number(a.yearMonths.length > 0))
}
