import { bitsOf, fieldMark, listOf } from './staged-rows.ts'

// What the index keeps of each thing found, beside the words that lead to it. Lists of payers are numbers into the list
// that the index's description carries.

/** A provider. Kept as one line of fields, as the stage hands it over: nothing is taken apart before it is asked for. */
export interface NpiRecord {
  readonly npi: number
  readonly name: string
  readonly others: readonly string[]
  readonly credentials: string
  readonly state: string
  readonly counties: readonly string[]
  readonly entity: 'i' | 'g' | ''
  readonly taxonomies: readonly string[]
  readonly primary: string
  readonly payers: readonly number[]
  /** TINs as numbers at the interface; below a thousand million they are EINs, above NPIs. */
  readonly tins: readonly number[]
  readonly ccns: readonly string[]
}

/** Reads a provider's line. */
export function npiRecord(line: string): NpiRecord {
  const [
    npi,
    name = '',
    others,
    credentials = '',
    entity = '',
    primary = '',
    taxonomies,
    state = '',
    counties,
    payers,
    ccns,
    tins = '',
  ] = line.split(fieldMark)
  return {
    npi: Number(npi),
    name,
    others: listOf(others),
    credentials,
    state,
    counties: listOf(counties),
    entity: entity as NpiRecord['entity'],
    taxonomies: listOf(taxonomies),
    primary,
    payers: bitsOf(payers),
    tins: tins === '' ? [] : tins.split(',').map(Number),
    ccns: listOf(ccns),
  }
}

export interface HospitalRecord {
  readonly ccn: string
  readonly name: string
  readonly street: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  readonly phone: string | null
  readonly providerType: string | null
  readonly ownership: string | null
  readonly emergency: boolean | null
  readonly careQuality: number | null
  readonly bedCount: number | null
  readonly healthSystem: string | null
  readonly category: string | null
  readonly facilityType: string | null
  readonly unit: string | null
  readonly npi: number | null
  readonly npis: readonly number[]
  readonly tins: readonly number[]
  readonly payers: readonly number[]
}

export interface TinRecord {
  readonly tin: number
  readonly name: string
  readonly states: readonly string[]
  readonly taxonomies: readonly string[]
  /** A sample of the group NPIs listed under it. */
  readonly groups: readonly number[]
  readonly npis: number
  readonly payers: readonly number[]
}

/** What an index folder says about itself. */
export interface IndexDescription {
  readonly format: number
  readonly id: string
  readonly madeAt: string
  readonly providers: string | undefined
  readonly hospitals: string | undefined
  readonly listed: readonly string[]
  readonly payers: readonly string[]
  readonly counts: { readonly npis: number; readonly hospitals: number; readonly tins: number }
}

/** A hospital's number as one, so that identifiers of every kind are numbers to the index: six characters in base 36. */
export const ccnKey = (ccn: string) => Number.parseInt(ccn, 36)
/** The words under which a TIN, an NPI or a hospital number leads to something else. */
export const tinCode = (tin: number | string) => `t${String(tin).padStart(9, '0')}`
export const ccnCode = (ccn: string) => `c${ccn}`
