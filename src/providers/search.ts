import { Failure } from '../errors.ts'
import { tinFromNumber, tinTypeOf } from '../vocabulary/identifiers.ts'
import { passing } from './found.ts'
import { hospitalRows } from './hospitals.ts'
import { npiSearchRows } from './npis.ts'
import type { OpenedProviders } from './opened.ts'
import { tinSearchRows } from './tins.ts'

/** What the `search_providers` tool is asked. */
export interface SearchProvidersRequest {
  readonly providerName?: string | undefined
  readonly types?: readonly ('npi' | 'tin' | 'ccn')[] | undefined
  readonly states?: readonly string[] | undefined
  readonly taxonomyCodes?: readonly string[] | undefined
  readonly limit?: number | undefined
}

export interface FoundNpi {
  readonly npi: number
  readonly name: string
  readonly states: readonly string[]
  readonly taxonomyCodes: readonly string[]
  readonly entityType: string
  readonly inNetworkPayers: readonly string[]
  readonly tins: readonly number[]
}

export interface FoundTin {
  readonly tin: number
  readonly tinType: string
  readonly name: string
  readonly states: readonly string[]
  readonly taxonomyCodes: readonly string[]
  readonly numNpis: number
  readonly inNetworkPayers: readonly string[]
}

export interface FoundHospital {
  readonly ccn: string
  readonly name: string
  readonly city: string | null
  readonly states: readonly string[]
  readonly taxonomyCodes: readonly string[]
  readonly npi: number | null
  readonly tins: readonly number[]
  readonly inNetworkPayers: readonly string[]
  readonly affiliatedHealthSystem: string | null
}

export interface SearchProvidersAnswer {
  readonly npis: FoundNpi[]
  readonly tins: FoundTin[]
  readonly ccns: FoundHospital[]
}

const limitDefault = 10
const limitMost = 100
const hospitalsLooked = 500

/** Providers, taxpayers and hospitals by name, identifier, specialty or state: up to `limit` of each kind. */
export function searchProviders(
  opened: OpenedProviders,
  request: SearchProvidersRequest,
): SearchProvidersAnswer {
  const name = request.providerName?.trim() ?? ''
  const taxonomyCodes = request.taxonomyCodes ?? []
  if (name === '' && taxonomyCodes.length === 0 && (request.states ?? []).length === 0)
    throw new Failure('invalid_request', 'Give a providerName, taxonomyCodes or states.', {
      problems: [
        {
          path: 'providerName',
          message: 'give a name or an identifier, taxonomyCodes for a specialty, or states',
        },
      ],
    })
  const limit = Math.min(limitMost, Math.max(1, Math.floor(request.limit ?? limitDefault)))
  const types =
    request.types === undefined || request.types.length === 0 ? ['npi', 'tin', 'ccn'] : request.types
  const states = (request.states ?? []).map((state) => state.toUpperCase())
  return {
    npis: types.includes('npi') ? foundNpis(opened, name, states, taxonomyCodes, limit) : [],
    tins: types.includes('tin') ? foundTins(opened, name, states, taxonomyCodes, limit) : [],
    ccns: types.includes('ccn') ? foundHospitals(opened, name, states, taxonomyCodes, limit) : [],
  }
}

type Find<Found> = (
  opened: OpenedProviders,
  name: string,
  states: readonly string[],
  taxonomyCodes: readonly string[],
  limit: number,
) => Found[]

const foundNpis: Find<FoundNpi> = (opened, name, states, taxonomyCodes, limit) =>
  npiSearchRows(opened, { states, taxonomyCodes }, name, limit, false).map((row) => {
    const record = opened.npi(row)
    return {
      npi: record.npi,
      name: record.name,
      states: record.state === '' ? [] : [record.state],
      taxonomyCodes: record.taxonomies ?? [],
      entityType: record.entity === '' ? '' : record.entity === 'i' ? 'individual' : 'group',
      inNetworkPayers: opened.payerNames(record.payers),
      tins: record.tins ?? [],
    }
  })

const foundTins: Find<FoundTin> = (opened, name, states, taxonomyCodes, limit) =>
  tinSearchRows(opened, { states, taxonomyCodes }, name === '' ? [] : [name], limit).map((row) => {
    const record = opened.tin(row)
    return {
      tin: record.tin,
      tinType: tinTypeOf(tinFromNumber(record.tin)),
      name: record.name,
      states: record.states,
      taxonomyCodes: record.taxonomies,
      numNpis: record.npis,
      inNetworkPayers: opened.payerNames(record.payers),
    }
  })

/** A hospital has the specialties of its NPIs in the directory. */
const foundHospitals: Find<FoundHospital> = (opened, name, states, taxonomyCodes, limit) => {
  const looked = taxonomyCodes.length === 0 ? limit : name === '' ? opened.hospitals.rows : hospitalsLooked
  const hasSpecialty = passing(
    taxonomyCodes.length === 0 ? [] : [opened.npis.columns.test('taxonomy', taxonomyCodes)],
  )
  const found: FoundHospital[] = []
  for (const row of hospitalRows(opened, { states }, name === '' ? [] : [name], looked)) {
    if (found.length >= limit) break
    const record = opened.hospital(row)
    const npiRows = record.npis.flatMap((npi) => opened.npis.rowOf(npi) ?? [])
    if (taxonomyCodes.length > 0 && !npiRows.some(hasSpecialty)) continue
    found.push({
      ccn: record.ccn,
      name: record.name,
      city: record.city,
      states: record.state === null ? [] : [record.state],
      taxonomyCodes: [...new Set(npiRows.flatMap((npiRow) => opened.npi(npiRow).taxonomies ?? []))],
      npi: record.npi,
      tins: record.tins,
      inNetworkPayers: opened.payerNames(record.payers),
      affiliatedHealthSystem: record.healthSystem,
    })
  }
  return found
}
