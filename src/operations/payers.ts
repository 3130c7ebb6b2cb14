import { z } from 'zod'
import { Payer } from '../vocabulary/payers.ts'
import { YearMonth } from '../vocabulary/period.ts'
import { operation } from './operation.ts'

export const PayerPeriods = z
  .object({
    payer: z.string().describe('Payer identifier, as requests take it'),
    yearMonths: z
      .array(YearMonth)
      .describe('Source-data periods with data for this payer, newest first; empty when none are loaded'),
  })
  .describe('A supported payer and the periods it has data for')
  .meta({ id: 'PayerPeriods' })
export type PayerPeriods = z.infer<typeof PayerPeriods>

export const payers = operation({
  name: 'payers',
  method: 'GET',
  path: '/api/v1/payers',
  group: 'Payer',
  credits: 1,
  summary: 'Supported payers and their available periods',
  description:
    'Lists every supported payer by name, each with the source-data periods that are loaded for it, newest first. A payer without data is listed with an empty list. A listed period means that data exist; it says nothing about the effective date of a contract.',
  request: z.strictObject({}),
  response: z.array(PayerPeriods),
  example: {
    response: [
      {
        payer: 'Aetna',
        yearMonths: [
          { year: 2026, month: 5 },
          { year: 2026, month: 4 },
        ],
      },
      { payer: 'Cigna', yearMonths: [] },
    ],
  },
  failures: [],
})

export const PayerPlan = z
  .object({
    planName: z.string().describe('Normalised plan name, such as PPO'),
    count: z.int().describe('How many published prices name it'),
  })
  .describe('A normalised plan name of a payer')
  .meta({ id: 'PayerPlan' })
export type PayerPlan = z.infer<typeof PayerPlan>

export const payerPlans = operation({
  name: 'payerPlans',
  method: 'POST',
  path: '/api/v1/payer/plans',
  group: 'Payer',
  credits: 1,
  summary: 'Normalised plan names of a payer, the most common first',
  description:
    'The plan names that `planNames` filters take for this payer, ordered by how often they occur in its newest period, the most common first.',
  request: z.strictObject({ payer: Payer }),
  response: z.array(PayerPlan),
  example: {
    request: { payer: 'Aetna' },
    response: [
      { planName: 'PPO', count: 18231 },
      { planName: 'HMO', count: 9120 },
    ],
  },
  failures: [],
})
