import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import { Failure } from '../errors.ts'

interface Job {
  readonly prompt: Prompt
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const argument = (name: string, description: string, required: boolean) => ({ name, description, required })

const jobs: readonly Job[] = [
  {
    prompt: {
      name: 'benchmark_a_service',
      title: 'Benchmark a service',
      description: 'What each payer pays a specialty in a state for a service, against Medicare',
      arguments: [
        argument(
          'service',
          'The service in words or as a billing code, such as "echocardiogram" or 93306',
          true,
        ),
        argument('specialty', 'The specialty in words or as a taxonomy code, such as cardiology', true),
        argument('state', 'Two-letter state code', true),
        argument('payer', 'One payer; without it the large ones that have data', false),
      ],
    },
    text: ({ service, specialty, state, payer }) =>
      [
        `Benchmark what ${payer ? `the payer ${payer} pays` : 'payers pay'} for ${service}, billed by ${specialty} in ${state}.`,
        '1. Turn the service into its billing code and type (CPT, HCPCS, MS-DRG) and the specialty into a NUCC taxonomy code.',
        payer
          ? '2. Use the payer exactly as the resource search-rates-options-payers names it.'
          : '2. Read the resource search-rates-options-payers and take the payers that have loaded periods and do business in the state.',
        '3. Call search_market_percentile_negotiated_rates with aggregations percentile_25, percentile_50, percentile_75, num_distinct_npis, groupBy payer and billingCode, billingClasses professional unless the service is a facility service.',
        '4. Call it again with metrics.comparedTo set to the newest Medicare year and aggregation percentile_50, to get percents of Medicare.',
        '5. Answer with one table: payer, the three percentiles, percent of Medicare, number of providers. Say which periods the data are from. They are published rates, not paid amounts.',
      ].join('\n'),
  },
  {
    prompt: {
      name: 'compare_fee_schedule_with_medicare',
      title: 'Compare a fee schedule with Medicare',
      description: 'What payers agreed to pay a provider, code by code, next to what Medicare pays',
      arguments: [
        argument('provider', 'Name of a provider, group or hospital, or its NPI, TIN or CCN', true),
        argument('codes', 'Billing codes with commas, such as 99213, 99214', true),
        argument('payer', 'One payer; without it those that list the provider', false),
        argument('state', 'Two-letter state code of the provider', false),
      ],
    },
    text: ({ provider, codes, payer, state }) =>
      [
        `Compare the fee schedule of ${provider}${state ? ` in ${state}` : ''} with Medicare for ${codes}.`,
        '1. Call search_providers with the name, and pick the provider meant; ask the user when several fit.',
        `2. Call search_provider_fee_schedule with its identifiers, ${payer ? `payers ["${payer}"]` : 'payers = its inNetworkPayers'}, the codes, and groupBy payer, billingCode, billingClass, serviceCode.`,
        '3. Call search_medicare_rates with medicareType "Physician FFS", the codes and the state of the provider.',
        '4. Answer with one table: code, payer, rate, Medicare amount of the same setting (facility or non-facility by place of service), rate as a percent of Medicare. Name the source months and the Medicare year.',
      ].join('\n'),
  },
]

export const promptList: readonly Prompt[] = jobs.map(({ prompt }) => prompt)

/** A prompt with its arguments filled in; undefined where there is none such. */
export function filledPrompt(
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult | undefined {
  const job = jobs.find(({ prompt }) => prompt.name === name)
  if (!job) return undefined
  const missing = (job.prompt.arguments ?? []).filter((one) => one.required && !given[one.name])
  if (missing.length > 0)
    throw new Failure('invalid_request', `Missing arguments: ${missing.map((one) => one.name).join(', ')}.`)
  return {
    ...(job.prompt.description !== undefined && { description: job.prompt.description }),
    messages: [{ role: 'user', content: { type: 'text', text: job.text(given) } }],
  }
}
