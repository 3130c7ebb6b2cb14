import { z } from 'zod'
import { DirectoryEntityType, State } from '../vocabulary/enums.ts'
import { CcnCategory, CcnFacilityType } from '../vocabulary/ccn.ts'
import { choice } from '../vocabulary/choice.ts'
import { Ccn, Npi, TinNumber } from '../vocabulary/identifiers.ts'
import { Payer } from '../vocabulary/payers.ts'
import { clampedLimit, list } from './bounds.ts'
import { operation } from './operation.ts'

const fields = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  list(choice('field', names)).describe('Which fields the answer carries; all without it')

const suggestionsOnly = z
  .boolean()
  .optional()
  .describe(
    'Return up to 10 lightweight prefix suggestions for one term. Identifiers need 3 digits, text needs 2 characters. The response fields and the limit are fixed',
  )

const StateText = z
  .string()
  .length(2, 'a state has two letters')
  .describe('Two-letter state code')
  .meta({ examples: ['FL'] })

// ── NPIs ──

const npiFields = [
  'npi',
  'name',
  'credentials',
  'state',
  'counties',
  'entityType',
  'payers',
  'tins',
  'primaryTaxonomyCode',
] as const

export const ProviderRecord = z
  .object({
    npi: z.number().optional(),
    name: z.string().optional(),
    credentials: z.string().optional(),
    primaryTaxonomyCode: z.string().optional(),
    state: z.string().optional(),
    counties: z.array(z.string()).optional(),
    entityType: z.string().optional().describe('individual or group'),
    payers: z.array(z.string()).optional().describe('Payers whose newest data list this NPI'),
    tins: z.array(z.number()).optional().describe('TINs that payers list this NPI with'),
  })
  .describe('A provider of the directory')
  .meta({ id: 'ProviderRecord' })
export type ProviderRecord = z.infer<typeof ProviderRecord>

export const npis = operation({
  name: 'npis',
  method: 'POST',
  path: '/api/v1/npis',
  group: 'Provider',
  credits: 1,
  summary: 'Look up providers by NPI',
  description: 'Records follow the order asked for; an NPI that the directory does not know is left out.',
  request: z.strictObject({
    npis: list(Npi, 10).describe('NPIs to look up, at most 10'),
    includeFields: fields(npiFields).optional(),
  }),
  response: z.array(ProviderRecord),
  example: {
    request: { npis: [1234567893], includeFields: ['npi', 'name', 'state'] },
    response: [{ npi: 1234567893, name: 'JANE SAMPLE', state: 'FL' }],
  },
  failures: [],
})

const npiSearchFields = [
  'npi',
  'displayName',
  'state',
  'counties',
  'taxonomyCodes',
  'entityType',
  'relatedNpis',
  'inNetworkPayers',
  'tins',
  'otherName',
] as const

export const NpiSearchResult = z
  .object({
    value: z.number().describe('The NPI'),
    title: z.string().describe('Display name with state'),
    npi: z.string().optional(),
    displayName: z.string().optional(),
    state: z.string().optional(),
    counties: z.string().optional(),
    ccns: z.string().optional(),
    credentials: z.string().optional(),
    taxonomyCodes: z.string().optional(),
    entityType: z.string().optional(),
    relatedNpis: z.string().optional(),
    inNetworkPayers: z.string().optional(),
    tins: z.string().optional(),
    otherName: z.string().optional(),
  })
  .describe(
    'A provider found. All fields but value are text; lists are joined with ", ". With suggestionsOnly: value, title, state, entityType',
  )
  .meta({ id: 'NpiSearchResult' })
export type NpiSearchResult = z.infer<typeof NpiSearchResult>

export const npiSearch = operation({
  name: 'npiSearch',
  method: 'POST',
  path: '/api/v1/npiSearch',
  group: 'Provider',
  credits: 1,
  summary: 'Search providers by name or NPI',
  description:
    'Fuzzy search by name, other name, identifier or its prefix: any word order, missing spaces, abbreviations, one or two typos. The likeliest come first; ties go to the provider that more payers list.',
  request: z.strictObject({
    searchTerm: z
      .string()
      .max(40, 'at most 40 characters')
      .optional()
      .describe('A name, or an NPI, CCN or TIN or the beginning of one'),
    suggestionsOnly,
    matchFields: list(choice('match field', ['displayName', 'ccns', 'otherName', 'tins']), 4)
      .min(1, 'at least 1')
      .optional()
      .describe('Where to look; all four without it'),
    includeFields: fields(npiSearchFields).optional(),
    taxonomyCodes: list(z.string(), 10).optional().describe('Keep providers with one of these specialties'),
    states: list(StateText, 5).optional().describe('Keep providers of these states'),
    counties: list(z.string(), 10).optional().describe('Keep providers of these counties'),
    entityTypes: list(DirectoryEntityType, 2).optional().describe('Keep individuals or groups'),
    inNetworkPayers: list(Payer, 1).optional().describe('Keep providers that this payer lists'),
    limit: clampedLimit(3_000, 20),
  }),
  response: z.array(NpiSearchResult),
  example: {
    request: {
      searchTerm: 'jane sampel',
      states: ['FL'],
      includeFields: ['npi', 'displayName', 'state'],
      limit: 5,
    },
    response: [
      {
        value: 1234567893,
        title: 'JANE SAMPLE (FL)',
        npi: '1234567893',
        displayName: 'JANE SAMPLE',
        state: 'FL',
      },
    ],
  },
  failures: [],
})

// ── Hospitals ──

const hospitalFields = [
  'ccn',
  'name',
  'street',
  'zipCode',
  'address',
  'phone',
  'providerType',
  'ownership',
  'bedCount',
  'careQuality',
  'clinicalServices',
  'affiliatedHealthSystem',
  'tins',
  'inNetworkPayers',
  'groupNpis',
  'npi',
] as const

const hospitalDetails = {
  street: z.string().nullable().optional(),
  zipCode: z.string().nullable().optional(),
  address: z.string().nullable().optional(),
  phone: z.string().nullable().optional(),
  providerType: z.string().nullable().optional(),
  ownership: z.string().nullable().optional(),
  bedCount: z.number().nullable().optional(),
  careQuality: z.string().nullable().optional().describe('CMS overall star rating'),
  clinicalServices: z.array(z.string()).optional(),
  affiliatedHealthSystem: z.string().nullable().optional(),
  tins: z.array(z.number()).optional(),
  inNetworkPayers: z.array(z.string()).optional(),
  groupNpis: z.array(z.number()).optional(),
}

export const HospitalRecord = z
  .object({
    ccn: z.string(),
    name: z.string().nullable().optional(),
    state: z.string().nullable().optional(),
    city: z.string().nullable().optional(),
    npi: z.number().nullable().optional(),
    ...hospitalDetails,
  })
  .describe('A hospital of the directory')
  .meta({ id: 'HospitalRecord' })
export type HospitalRecord = z.infer<typeof HospitalRecord>

const facilityTypes = list(CcnFacilityType.nullable())
  .optional()
  .describe('Keep these facility types, as decoded from the CCN; null keeps those without one')
const categories = list(CcnCategory.nullable())
  .optional()
  .describe('Keep these categories, as decoded from the CCN; null keeps those without one')

export const ccns = operation({
  name: 'ccns',
  method: 'POST',
  path: '/api/v1/ccns',
  group: 'Provider',
  credits: 1,
  summary: 'Look up hospitals by CCN',
  description:
    'The answer is an object keyed by CCN. A CCN that the directory does not know is left out; an empty look-up returns an empty object. A CCN has six characters and may hold letters.',
  request: z.strictObject({
    ccns: list(Ccn, 1_000).describe('CCNs to look up'),
    ccnCategories: categories,
    ccnFacilityTypes: facilityTypes,
    includeFields: fields([...hospitalFields, 'state', 'city']).optional(),
  }),
  response: z.record(z.string(), HospitalRecord),
  example: {
    request: { ccns: ['100001'], includeFields: ['name', 'state', 'city', 'npi'] },
    response: {
      '100001': {
        ccn: '100001',
        name: 'SAMPLE MEDICAL CENTER',
        state: 'FL',
        city: 'JACKSONVILLE',
        npi: 1234567893,
      },
    },
  },
  failures: [],
})

export const HospitalSearchResult = z
  .object({
    value: z.string().describe('The CCN'),
    title: z.string(),
    state: z.string(),
    ccn: z.string().optional(),
    grouping: z.string().nullable().optional().describe('Health system under which a list groups it'),
    name: z.string().optional(),
    city: z.string().optional(),
    npi: z.number().nullable().optional(),
    ...hospitalDetails,
  })
  .describe('A hospital found. With suggestionsOnly: value, title, state')
  .meta({ id: 'HospitalSearchResult' })
export type HospitalSearchResult = z.infer<typeof HospitalSearchResult>

const Term = z.string().max(40, 'at most 40 characters')

export const ccnSearch = operation({
  name: 'ccnSearch',
  method: 'POST',
  path: '/api/v1/ccnSearch',
  group: 'Provider',
  credits: 1,
  summary: 'Search hospitals by name, place or CCN',
  description:
    'Fuzzy search over hospitals, several terms at once. Without a term, filters alone list hospitals by name.',
  request: z.strictObject({
    searchTerms: list(Term, 10)
      .optional()
      .describe('Names, places or CCNs; a hospital that matches any of them is found'),
    suggestionsOnly,
    state: State.optional(),
    states: list(State).optional().describe('Keep hospitals of these states'),
    ccn: Ccn.optional().describe('Exactly this CCN'),
    limit: clampedLimit(10_000, 20, z.int()),
    ccnFacilityTypes: facilityTypes,
    ccnCategories: categories,
    includeFields: fields(hospitalFields).nullable().optional(),
  }),
  response: z.array(HospitalSearchResult),
  example: {
    request: { searchTerms: ['sample med ctr'], state: 'FL', limit: 5 },
    response: [
      {
        value: '100001',
        ccn: '100001',
        title: 'SAMPLE MEDICAL CENTER, JACKSONVILLE, FL',
        grouping: null,
        name: 'SAMPLE MEDICAL CENTER',
        city: 'JACKSONVILLE',
        state: 'FL',
        affiliatedHealthSystem: null,
      },
    ],
  },
  failures: [],
})

// ── TINs ──

export const TinRecord = z
  .object({
    tin: z.number(),
    tinName: z.string().optional(),
    states: z.array(z.string()).optional(),
    relatedGroupNpis: z
      .array(z.string())
      .optional()
      .describe('A sample of the group NPIs that payers list under this TIN'),
  })
  .describe('A taxpayer that payers list providers under')
  .meta({ id: 'TinRecord' })
export type TinRecord = z.infer<typeof TinRecord>

export const tins = operation({
  name: 'tins',
  method: 'POST',
  path: '/api/v1/tins',
  group: 'Provider',
  credits: 1,
  summary: 'Look up taxpayers by TIN',
  description:
    'Records follow the order asked for; a TIN that no payer lists is left out. The name is the one payers report, else the organisation name that most of its group NPIs bear.',
  request: z.strictObject({
    tins: list(TinNumber, 10).describe('TINs to look up, at most 10'),
    includeFields: fields(['tinName', 'states', 'relatedGroupNpis']).optional(),
  }),
  response: z.object({ tins: z.array(TinRecord) }),
  example: {
    request: { tins: [123456789] },
    response: {
      tins: [
        {
          tin: 123456789,
          tinName: 'SAMPLE CARDIOLOGY LLC',
          states: ['FL'],
          relatedGroupNpis: ['1234567893'],
        },
      ],
    },
  },
  failures: [],
})

const tinFields = [
  'tinValue',
  'tinType',
  'tinName',
  'tinState',
  'taxonomyCodes',
  'relatedGroupNpis',
  'numNpis',
] as const

export const TinSearchResult = z
  .object({
    tinValue: z.number().optional(),
    tinType: z.string().optional().describe('ein or npi'),
    tinName: z.string().optional(),
    tinState: z.string().optional(),
    taxonomyCodes: z.array(z.string()).optional(),
    relatedGroupNpis: z.array(z.string()).optional(),
    numNpis: z.int().optional().describe('How many NPIs payers list under it'),
    value: z.number().optional().describe('The TIN; with suggestionsOnly'),
    title: z.string().optional().describe('Name and state; with suggestionsOnly'),
    state: z.string().optional().describe('With suggestionsOnly'),
  })
  .describe('A taxpayer found. With suggestionsOnly: value, title, state')
  .meta({ id: 'TinSearchResult' })
export type TinSearchResult = z.infer<typeof TinSearchResult>

// The documents bound neither the length nor the number of these terms; names of organisations are long.
const TaxpayerTerm = z.string().max(200, 'at most 200 characters')
const taxpayerTermsMax = 50

export const tinSearch = operation({
  name: 'tinSearch',
  method: 'POST',
  path: '/api/v1/tinSearch',
  group: 'Provider',
  credits: 1,
  summary: 'Search taxpayers by name or number',
  description:
    'Fuzzy search over the names and numbers of the taxpayers that payers list providers under. Use searchTerm or searchTerms, not both.',
  request: z
    .strictObject({
      searchTerm: TaxpayerTerm.optional().describe('A name, or a TIN or the beginning of one'),
      searchTerms: list(TaxpayerTerm, taxpayerTermsMax)
        .optional()
        .describe('Several at once; a taxpayer that matches any of them is found'),
      suggestionsOnly,
      tins: list(TinNumber, 1_000).optional().describe('Exact TINs to include'),
      matchFields: list(choice('match field', tinFields))
        .min(1, 'at least 1')
        .optional()
        .describe('Where to look; tinName and tinValue without it'),
      taxonomyCodes: list(z.string(), 100)
        .optional()
        .describe('Keep taxpayers with a provider of one of these specialties'),
      states: list(StateText).optional().describe('Keep taxpayers of these states'),
      tinTypes: list(choice('TIN type', ['ein', 'npi']))
        .optional()
        .describe('Keep employer numbers, or NPIs reported in their place'),
      limit: clampedLimit(3_000, 20),
      includeFields: fields(tinFields).optional(),
    })
    .refine(({ searchTerm, searchTerms }) => searchTerm === undefined || searchTerms === undefined, {
      error: 'use searchTerm or searchTerms, not both',
      path: ['searchTerms'],
    }),
  response: z.array(TinSearchResult),
  example: {
    request: {
      searchTerm: 'sample cardio',
      includeFields: ['tinValue', 'tinType', 'tinName', 'tinState'],
      limit: 5,
    },
    response: [{ tinValue: 123456789, tinType: 'ein', tinName: 'SAMPLE CARDIOLOGY LLC', tinState: 'FL' }],
  },
  failures: [],
})
