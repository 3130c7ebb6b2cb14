import type { Findings } from '../findings.ts'

/**
 * What the reader makes of one in-network file: a folder of small column files and a `header.json`.
 * docs/staged-files.md tells each column's meaning. Ids are dense, local to the file, and given by content:
 * equal content has one id (up to the interning bound named there). Text 0 is "", list 0 is empty, set 0 is empty.
 */
export const stagedColumns = {
  /** Every text once, UTF-8. Text i ends at `end[i]` and starts where text i - 1 ends. */
  texts: { end: 'i64', bytes: 'u8' },
  /** Sets of texts, ascending by text: service codes, modifiers, network names. */
  lists: { end: 'i64', texts: 'u32' },
  /** What a price is for besides its item and its providers. The first four are texts, the last two lists. */
  attributes: {
    negotiated_type: 'u32',
    billing_class: 'u32',
    setting: 'u32',
    expiration_date: 'u32',
    service_codes: 'u32',
    modifiers: 'u32',
  },
  /** A TIN and its NPIs. `npis_end` points into `npis`; NPIs ascend and are distinct; `flags` are `groupFlags`. */
  groups: { tin_type: 'u32', tin: 'u32', business_name: 'u32', flags: 'u8', npis_end: 'i64', npis: 'i64' },
  /** Every provider_group_id met, used or defined; `id` is the text of its canonical decimal; `flags` are `referenceFlags`. */
  references: { id: 'u32', flags: 'u8' },
  /** Each definition in provider_references, in file order. `location` 0 = the groups are in this file. */
  definitions: {
    reference: 'u32',
    groups_end: 'i64',
    groups: 'u32',
    networks: 'u32',
    location: 'u32',
    offset: 'i64',
  },
  /** The providers of a rate object: references and inline groups, each ascending and distinct. */
  sets: { references_end: 'i64', references: 'u32', groups_end: 'i64', groups: 'u32' },
  /** Codes inside a bundle or a capitation. */
  contained: { code_type: 'u32', code_type_version: 'u32', code: 'u32', description: 'u32' },
  /** Elements of in_network in file order. `index` is the place in that list; `*_end` point into rates, prices and contained. */
  items: {
    index: 'u32',
    offset: 'i64',
    arrangement: 'u32',
    code_type: 'u32',
    code_type_version: 'u32',
    code: 'u32',
    name: 'u32',
    description: 'u32',
    severity_of_illness: 'u32',
    contained_kind: 'u8',
    contained_end: 'i64',
    contained: 'u32',
    rates_end: 'i64',
    prices_end: 'i64',
  },
  /** Elements of negotiated_rates in file order: `index` within its item, byte `offset`, how many prices. */
  rates: { index: 'u32', offset: 'i64', set: 'u32', prices: 'u32' },
  /** Prices, in file order. `amount` is a whole number of ten-thousandths. */
  prices: { attributes: 'u32', amount: 'i64' },
  /** additional_information of those prices that have some: the price's number and the text. */
  notes: { price: 'i64', text: 'u32' },
} as const satisfies Record<string, Record<string, ColumnType>>

export type ColumnType = 'u8' | 'u32' | 'i64'
export type StagedTable = keyof typeof stagedColumns

export const groupFlags = {
  /** The TIN is nine digits, or an NPI. Otherwise it is kept as written. */
  validTin: 1,
  /** `npi: [0]`: a contract at TIN level; the group has no NPIs. */
  tinLevel: 2,
  /** Some NPIs were no NPIs and were left out. */
  quarantinedNpis: 4,
} as const

export const referenceFlags = { defined: 1, used: 2 } as const

export const containedKinds = { none: 0, bundledCodes: 1, coveredServices: 2 } as const

/** What kind of document the bytes hold, told by its content. */
export type FileKind =
  | 'in-network'
  | 'allowed-amounts'
  | 'table-of-contents'
  | 'provider-reference'
  | 'html'
  | 'empty'
  | 'other'

/** The scalars at the root of a file, as written (a number given for a text is its text). Absent where absent. */
export interface FileHeader {
  readonly reporting_entity_name?: string
  readonly reporting_entity_type?: string
  readonly last_updated_on?: string
  readonly version?: string
  readonly plan_name?: string
  readonly plan_id_type?: string
  readonly plan_id?: string
  readonly plan_market_type?: string
  readonly issuer_name?: string
  readonly plan_sponsor_name?: string
}

/** Sums over the whole file. What is odd is counted in the findings, by kind. */
export interface FileCounts {
  readonly bytes: number
  /** Elements of in_network, and those kept (all, unless a filter was given). */
  readonly items: number
  readonly itemsKept: number
  readonly rates: number
  readonly prices: number
  readonly pricesZero: number
  readonly pricesAbsurd: number
  readonly notes: number
  readonly referencesDefined: number
  readonly referencesUsed: number
  /** Defined and used by no rate. */
  readonly referencesUnused: number
  /** Used by rates and defined nowhere in the file. */
  readonly referencesUndefined: number
  readonly referencesRemote: number
  /** Provider groups as published, repetitions included. */
  readonly groupsPublished: number
  /** NPIs as published, repetitions and wrong ones included. */
  readonly npisPublished: number
  readonly npisInvalid: number
  readonly tinsInvalid: number
}

/** `header.json` of a stage, and what reading a file answers. */
export interface StagedFile {
  readonly format: 1
  readonly kind: FileKind
  /** False where the document broke off: what came before is staged, and an error finding says where. */
  readonly complete: boolean
  /** Groups hold only the NPIs and TINs that were asked for: a rate without providers is none that was asked for. */
  readonly providersAsked?: true
  readonly header: FileHeader
  readonly counts: FileCounts
  /** How many rows each table has. */
  readonly rows: Readonly<Record<StagedTable, number>>
  readonly findings: Findings
}

/** Keeps only what is asked for. What a filter cannot decide while reading (references defined later, remote ones) is kept. */
export interface ReadFilter {
  /** Billing codes as the file may write them; compared without regard to case and leading zeroes. */
  readonly codes?: ReadonlySet<string>
  readonly npis?: ReadonlySet<number>
  /** TINs as digits. */
  readonly tins?: ReadonlySet<string>
}
