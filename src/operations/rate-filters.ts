import { z } from 'zod'
import {
  BillingClass,
  BillingCodeModifier,
  BillingCodeType,
  EntityType,
  NegotiatedType,
  ServiceCode,
  State,
} from '../vocabulary/enums.ts'
import { ZipCode } from '../vocabulary/identifiers.ts'
import { Payer } from '../vocabulary/payers.ts'
import { YearMonth } from '../vocabulary/period.ts'
import { TaxonomyCode } from '../vocabulary/taxonomy.ts'
import { list } from './bounds.ts'

/** One billing code to look for. */
export const BillingCodeFilter = z
  .strictObject({
    code: z
      .string()
      .trim()
      .min(1)
      .max(40)
      .describe(
        'Billing code; taken in its normal form: upper case, MS-DRG three digits, revenue code four, APR-DRG three and perhaps the severity',
      )
      .meta({ examples: ['99213'] }),
    type: BillingCodeType,
  })
  .describe('A billing code and its code system')
  .meta({ id: 'BillingCodeFilter' })
export type BillingCodeFilter = z.infer<typeof BillingCodeFilter>

/** The filters that every pricing question shares. Left out or empty, a filter asks for nothing. */
export const rateFilters = {
  billingClasses: list(BillingClass).optional().describe('Keep rates of these billing classes'),
  serviceCodes: list(ServiceCode)
    .optional()
    .describe(
      'Keep rates that list one of these places of service, literally: add CSTM-00 to take rates published for all places too',
    ),
  billingCodeModifiers: list(BillingCodeModifier)
    .optional()
    .describe('Keep rates with one of these modifiers'),
  negotiatedTypes: list(NegotiatedType)
    .optional()
    .describe(
      'Keep these kinds of rate. Without this filter, percentage and per diem rates stay out of market statistics',
    ),
  yearMonths: list(YearMonth)
    .optional()
    .describe(
      'Source-data periods; empty = the newest of each payer. Two or more compare over time: each row then carries its yearMonth',
    ),
  planNames: list(z.string().min(1))
    .optional()
    .describe('Normalised plan names, as POST /api/v1/payer/plans lists them'),
  networks: list(z.string().min(1))
    .optional()
    .describe('Network names exactly as the payer file reports them'),
}

const atLeastOne = 'name at least one'

/** Who and what a market question is about. */
export const MarketFilters = z
  .strictObject({
    states: list(State).min(1, atLeastOne).describe('States of the providers, from the provider directory'),
    zipCodes: list(ZipCode)
      .optional()
      .describe('Five-digit ZIP codes of the providers, from the provider directory'),
    taxonomyCodes: list(TaxonomyCode).min(1, atLeastOne).describe('Primary specialties of the providers'),
    payers: list(Payer).min(1, atLeastOne).describe('Payers to include'),
    billingCodeAndTypes: list(BillingCodeFilter).min(1, atLeastOne).describe('Billing codes to include'),
    entityTypes: list(EntityType).optional().describe('Keep providers of these kinds; both without it'),
    ...rateFilters,
  })
  .describe('Which published rates are asked about')
  .meta({ id: 'MarketFilters' })
export type MarketFilters = z.infer<typeof MarketFilters>
