import { z } from 'zod'
import { Aggregation } from '../vocabulary/aggregations.ts'
import {
  AnyModifier,
  BillingClass,
  BillingCodeType,
  EntityType,
  NegotiatedType,
  ServiceCode,
  State,
} from '../vocabulary/enums.ts'
import { GroupByField, ProviderGroupByField } from '../vocabulary/grouping.ts'
import { Ccn, Npi, TinNumber, ZipCode } from '../vocabulary/identifiers.ts'
import { MedicareBaseline } from '../vocabulary/medicare.ts'
import { Payer } from '../vocabulary/payers.ts'
import { YearMonth } from '../vocabulary/period.ts'
import { TaxonomyCode } from '../vocabulary/taxonomy.ts'
import { list } from './bounds.ts'

/**
 * What the tools take. The checks are those of the vocabulary; what a model reads is written here, because it fills
 * arguments from descriptions and examples. Long lists of values are left out of the printed schema: option resources carry them.
 */
const atLeastOne = 'name at least one'

export const toolStates = list(State)
  .min(1, atLeastOne)
  .describe('Two-letter state codes of the providers, such as FL')
  .meta({ examples: [['FL']] })

/** The specialties that people ask about most, so that a model need not look them up. */
const commonSpecialties =
  'cardiology 207RC0000X, family medicine 207Q00000X, internal medicine 207R00000X, pediatrics 208000000X, OB/GYN 207V00000X, orthopaedic surgery 207X00000X, general surgery 208600000X, diagnostic radiology 2085R0202X, anesthesiology 207L00000X, emergency medicine 207P00000X, gastroenterology 207RG0100X, oncology 207RX0202X, dermatology 207N00000X, neurology 2084N0400X, psychiatry 2084P0800X, ophthalmology 207W00000X, urology 208800000X, physical therapy 225100000X, nurse practitioner 363L00000X, physician assistant 363A00000X, acute care hospital 282N00000X, ambulatory surgery center 261QA1903X, clinical laboratory 291U00000X'

export const toolTaxonomyCodes = list(TaxonomyCode)
  .min(1, atLeastOne)
  .describe(
    `NUCC taxonomy codes (ten characters) of the providers' primary specialty; at least one. Common ones: ${commonSpecialties}. All: resource search-rates-options-taxonomies`,
  )
  .meta({ examples: [['207RC0000X']] })

export const toolPayers = list(Payer)
  .min(1, atLeastOne)
  .describe(
    'Payer identifiers, exactly as the resource search-rates-options-payers lists them. National ones: Aetna, Cigna, UnitedHealthcare, Humana, Kaiser Permanente, Oscar. Many Blue Cross affiliates are state-specific, such as Florida Blue or Blue Cross Blue Shield of Texas. For "each payer" name every payer that the resource lists with yearMonths (and with your state): there is no word for all. A wrong name is answered with the nearest right ones',
  )
  .meta({ examples: [['Aetna', 'Cigna', 'UnitedHealthcare']] })

const ToolBillingCode = z
  .strictObject({
    code: z
      .string()
      .trim()
      .min(1)
      .max(40)
      .describe('Billing code: CPT and HCPCS five characters, MS-DRG three digits, RC (revenue code) four')
      .meta({ examples: ['93306'] }),
    type: BillingCodeType,
  })
  .describe('A billing code and its code system')

const toolRateFilters = {
  billingCodeAndTypes: list(ToolBillingCode)
    .optional()
    .describe(
      'Billing codes to include, each { code, type }. Name the codes you ask about: all codes is a very wide question',
    )
    .meta({ examples: [[{ code: '93306', type: 'CPT' }]] }),
  billingClasses: list(BillingClass)
    .optional()
    .describe('professional (physician claims) or institutional (facility claims); omit for both')
    .meta({ examples: [['professional']] }),
  serviceCodes: list(ServiceCode)
    .optional()
    .describe(
      'Two-character place of service codes, such as 11 (office) or 22 (outpatient hospital). They match literally: add CSTM-00 to include rates published for all places',
    )
    .meta({ examples: [['11', 'CSTM-00']] }),
  billingCodeModifiers: list(AnyModifier)
    .optional()
    .describe(
      'Modifiers such as 25, 59, LT, 26, TC; none = rates without a modifier, the whole service. Omitted: all are pooled, so for a service with a professional (26) and a technical (TC) part send none, or group by billingCodeModifier',
    )
    .meta({ examples: [['none']] }),
  negotiatedTypes: list(NegotiatedType)
    .optional()
    .describe(
      'negotiated, fee schedule, derived, per diem, percentage. Omitted: dollar rates only in market statistics (no per diem, no percentage)',
    ),
  yearMonths: list(YearMonth)
    .optional()
    .describe(
      'Source-data periods, each { year, month }; omit or leave empty for the most recent data of each payer',
    )
    .meta({ examples: [[{ year: 2026, month: 5 }]] }),
  planNames: list(z.string().min(1)).optional().describe('Normalised plan types such as HMO, PPO, EPO'),
  networks: list(z.string().min(1)).optional().describe('Network names, exactly as the payer reports them'),
}

const toolMarketFilters = {
  states: toolStates,
  zipCodes: list(ZipCode).optional().describe('Five-digit ZIP codes of the providers; narrows the states'),
  taxonomyCodes: toolTaxonomyCodes,
  entityTypes: list(EntityType).optional().describe('individual or group; omit for both'),
  payers: toolPayers,
  ...toolRateFilters,
}

export const benchmarksToolInput = z.strictObject({
  filters: z.strictObject(toolMarketFilters).describe('Which published rates are asked about'),
  metrics: z
    .strictObject({
      aggregations: list(Aggregation)
        .min(1, atLeastOne)
        .describe(
          'Statistics: percentile_N (N = 1-5, 10, 15 … 95, 96-99), median_rate, avg_rate, min_rate, max_rate, num_entries, num_distinct_rates, num_distinct_npis, num_distinct_tins. All: resource search-rates-options-aggregations',
        )
        .meta({ examples: [['percentile_25', 'percentile_50', 'percentile_75']] }),
      comparedTo: MedicareBaseline.optional().describe(
        'Medicare baseline: rates become percents of what Medicare pays (100 = Medicare)',
      ),
    })
    .describe('What to compute'),
  groupBy: list(GroupByField)
    .describe(
      'Fields that split the answer: payer, billingCode, billingCodeType, npiState, taxonomyCode, entityType, billingClass, negotiatedType, serviceCode, billingCodeModifier, billingCodeGroup, billingCodeSubgroup, network. Usually ["payer", "billingCode"]; an empty list pools all rates; network yields one group per network',
    )
    .meta({ examples: [['payer', 'billingCode']] }),
})

/** As above, but without periods all of them are searched. */
export const marketRatesFilters = z
  .strictObject({
    ...toolMarketFilters,
    yearMonths: list(YearMonth)
      .optional()
      .describe('Source-data periods, each { year, month }; omit or leave empty for all periods')
      .meta({ examples: [[{ year: 2026, month: 5 }]] }),
  })
  .describe('Which published rates are asked about')

export const feeScheduleToolInput = z.strictObject({
  providers: z
    .strictObject({
      npis: list(Npi).min(1).optional().describe('Ten-digit NPIs, as numbers'),
      tins: list(TinNumber).min(1).optional().describe('Nine-digit TINs, as numbers'),
      ccns: list(Ccn).min(1).optional().describe('Six-character CCNs of hospitals, as text'),
    })
    .refine((providers) => Object.values(providers).some((given) => given !== undefined), {
      error: 'name at least one of npis, tins, ccns; search_providers finds them by name',
    })
    .describe('Whose rates; at least one of npis, tins, ccns. search_providers finds them by name')
    .meta({ minProperties: 1, examples: [{ npis: [1234567893] }] }),
  payers: toolPayers,
  ...toolRateFilters,
  groupBy: list(ProviderGroupByField)
    .describe(
      'Fields that each row carries: payer, billingCode, billingCodeType, billingClass, negotiatedType, serviceCode, billingCodeModifier, taxonomyCode, npiState, entityType, billingCodeGroup, billingCodeSubgroup, network, planName. Usually ["payer", "billingCode"]; network and planName come back as deduplicated arrays',
    )
    .meta({ examples: [['payer', 'billingCode', 'billingClass']] }),
})
