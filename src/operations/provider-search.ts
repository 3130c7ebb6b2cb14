import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { State } from '../vocabulary/enums.ts'
import { TaxonomyCode } from '../vocabulary/taxonomy.ts'
import { clampedLimit, list } from './bounds.ts'
import { tool } from './tool.ts'

const details = {
  name: z.string().nullable(),
  states: z.array(z.string()),
  taxonomyCodes: z.array(z.string()),
  inNetworkPayers: z
    .array(z.string())
    .describe('Payers whose newest files list it; use them as payers of the rate tools'),
}

export const FoundNpi = z.object({
  npi: z.number(),
  ...details,
  entityType: z.string().nullable().describe('individual or group'),
  tins: z.array(z.number()).optional().describe('Taxpayers that payers list it under'),
})
export const FoundTin = z.object({
  tin: z.number(),
  ...details,
  tinType: z.string().optional().describe('ein or npi'),
  numNpis: z.int().optional().describe('How many NPIs payers list under it'),
})
export const FoundCcn = z.object({
  ccn: z.string(),
  ...details,
  city: z.string().nullable().optional(),
  npi: z.number().nullable().optional(),
  tins: z.array(z.number()).optional(),
  affiliatedHealthSystem: z.string().nullable().optional(),
})

/** Providers found, by kind of identifier, best match first. */
export const ProvidersFound = z.object({
  npis: z.array(FoundNpi).describe('People and organisations by NPI'),
  tins: z.array(FoundTin).describe('Taxpayers: the groups and systems that contracts are made with'),
  ccns: z.array(FoundCcn).describe('Hospitals by CCN'),
})
export type ProvidersFound = z.infer<typeof ProvidersFound>

const limitMost = 100

export const providerSearch = tool({
  name: 'search_providers',
  title: 'Find providers',
  description:
    'Looks up providers by name, specialty or state and returns their identifiers (NPI, TIN, CCN), name, states, taxonomy codes, entity type and in-network payers. Use it before search_provider_fee_schedule. Misspelt names are found too. Give a providerName (or an identifier as text), or taxonomyCodes or states to list those of a specialty or a state.',
  credits: 1,
  input: z
    .strictObject({
      providerName: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Name of a provider, group, hospital or clinic, or an NPI, TIN or CCN; not a specialty')
        .meta({ examples: ['Mayo Clinic Jacksonville'] }),
      types: list(choice('identifier type', ['npi', 'tin', 'ccn']))
        .optional()
        .describe('Kinds of identifier to return; omit for all three'),
      states: list(State)
        .optional()
        .describe('Two-letter state codes; omit for all states')
        .meta({ examples: [['FL']] }),
      taxonomyCodes: list(TaxonomyCode)
        .optional()
        .describe(
          'NUCC taxonomy codes such as 207RC0000X (cardiology); required when searching by specialty instead of a name or identifier. All: resource search-rates-options-taxonomies',
        )
        .meta({ examples: [['207RC0000X']] }),
      limit: clampedLimit(limitMost, 10).describe(
        'How many per identifier type; default the top 10; above 100 returns at most 100',
      ),
    })
    .refine(
      ({ providerName, taxonomyCodes = [], states = [] }) =>
        providerName !== undefined || taxonomyCodes.length > 0 || states.length > 0,
      {
        error: 'give a providerName, taxonomyCodes when searching by specialty, or states',
        path: ['providerName'],
      },
    ),
  output: ProvidersFound.extend({
    advice: z.string().optional().describe('How to narrow, when more may match'),
  }),
  example: {
    request: { providerName: 'sample cardiology', states: ['FL'], limit: 5 },
    response: {
      npis: [
        {
          npi: 1234567893,
          name: 'SAMPLE CARDIOLOGY LLC',
          states: ['FL'],
          taxonomyCodes: ['207RC0000X'],
          inNetworkPayers: ['Aetna', 'Cigna'],
          entityType: 'group',
        },
      ],
      tins: [
        {
          tin: 123456789,
          name: 'SAMPLE CARDIOLOGY LLC',
          states: ['FL'],
          taxonomyCodes: ['207RC0000X'],
          inNetworkPayers: ['Aetna', 'Cigna'],
        },
      ],
      ccns: [],
    },
  },
})
export type ProviderSearchRequest = z.output<typeof providerSearch.input>
