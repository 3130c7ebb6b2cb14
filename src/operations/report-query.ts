import { z } from 'zod'
import { EntityType, State } from '../vocabulary/enums.ts'
import { ZipCode } from '../vocabulary/identifiers.ts'
import { MedicareBaseline } from '../vocabulary/medicare.ts'
import { Payer } from '../vocabulary/payers.ts'
import { TaxonomyCode } from '../vocabulary/taxonomy.ts'
import { list } from './bounds.ts'
import { Providers } from './provider-rates.ts'
import { BillingCodeFilter, rateFilters } from './rate-filters.ts'

const onlyMarkets = ['zipCodes', 'taxonomyCodes', 'entityTypes'] as const

/** What a report is about: a market (`states`), or named providers. */
export const ReportQuery = z
  .strictObject({
    states: list(State)
      .min(1, 'name at least one')
      .optional()
      .describe('A market: states of the providers. Either this or providers'),
    zipCodes: list(ZipCode).optional().describe('Of a market: five-digit ZIP codes of the providers'),
    taxonomyCodes: list(TaxonomyCode)
      .optional()
      .describe('Of a market: primary specialties; without it every specialty'),
    entityTypes: list(EntityType).optional().describe('Of a market: kinds of provider; both without it'),
    providers: Providers.optional().describe('Named providers. Either this or states'),
    payers: list(Payer).min(1, 'name at least one').describe('Payers to include'),
    billingCodeAndTypes: list(BillingCodeFilter).describe(
      'Billing codes to include. A market needs at least one; for named providers an empty list asks for all codes',
    ),
    ...rateFilters,
    comparedTo: MedicareBaseline.optional().describe(
      'Year of the Medicare columns; without it the newest year that is loaded; none leaves them empty',
    ),
  })
  .superRefine((query, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if ((query.states === undefined) === (query.providers === undefined))
      wrong('states', 'name either states (a market) or providers')
    if (query.states !== undefined && query.billingCodeAndTypes.length === 0)
      wrong('billingCodeAndTypes', 'name at least one')
    for (const name of onlyMarkets)
      if (query.providers !== undefined && query[name] !== undefined) wrong(name, 'goes with states only')
  })
  .describe('What a report is about: the rates of a market, or of named providers')
  .meta({ id: 'ReportQuery' })
export type ReportQuery = z.output<typeof ReportQuery>
