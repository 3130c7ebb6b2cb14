import * as fc from 'fast-check'
import type { PayerFile, ProviderGroup, PublishedFile } from './payer-file.ts'

/** Small worlds: few values, so that everything overlaps with everything. */
export const npis = [
  1000000004, 1000000012, 1000000020, 1000000038, 1000000046, 1000000053, 1000000061, 1999999992,
]
export const tins = ['010000001', '020000002', '123456789', '1000000004']
export const codes = [
  ['CPT', '99213'],
  ['CPT', '93306'],
  ['HCPCS', 'J1100'],
  ['MS-DRG', '470'],
] as const
export const payers = ['Aetna', 'Cigna']
export const months = [202604, 202605]
export const planNames = ['HMO', 'PPO', 'EPO']
export const networkNames = ['Choice', 'Open Access', 'Select']
export const rates = [0, 0.01, 10, 10.5, 12.3456, 100, 250.25, 250_000_000, -3]

const group: fc.Arbitrary<ProviderGroup> = fc.record({
  npi: fc.oneof(
    { weight: 6, arbitrary: fc.uniqueArray(fc.constantFrom(...npis), { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.constant([0]) },
  ),
  tin: fc.constantFrom(...tins).map((value) => ({ type: value.length === 10 ? 'npi' : 'ein', value })),
})
const groups = fc.array(group, { minLength: 0, maxLength: 3 })

const price = fc.record(
  {
    negotiated_type: fc.constantFrom('negotiated', 'derived', 'fee schedule', 'percentage', 'per diem'),
    negotiated_rate: fc.constantFrom(...rates),
    billing_class: fc.constantFrom('professional', 'institutional', 'both'),
    setting: fc.constantFrom('inpatient', 'outpatient'),
    service_code: fc.uniqueArray(fc.constantFrom('11', '22', '02', 'CSTM-00'), { maxLength: 3 }),
    billing_code_modifier: fc.uniqueArray(fc.constantFrom('26', 'TC'), { maxLength: 2 }),
  },
  { requiredKeys: ['negotiated_type', 'negotiated_rate', 'billing_class'] },
)

/** Files with references (some undefined, some defined twice) and inline groups, in all mixtures. */
export const payerFile: fc.Arbitrary<PayerFile> = fc.record({
  provider_references: fc.array(
    fc.record(
      {
        provider_group_id: fc.integer({ min: 1, max: 4 }),
        network_name: fc.uniqueArray(fc.constantFrom(...networkNames), { maxLength: 2 }),
        provider_groups: groups,
      },
      { requiredKeys: ['provider_group_id', 'provider_groups'] },
    ),
    { maxLength: 5 },
  ),
  in_network: fc.array(
    fc
      .record({
        code: fc.constantFrom(...codes),
        severity: fc.constantFrom('', '', '2'),
        negotiated_rates: fc.array(
          fc.record(
            {
              provider_references: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
              provider_groups: groups,
              negotiated_prices: fc.array(price, { minLength: 1, maxLength: 4 }),
            },
            { requiredKeys: ['negotiated_prices'] },
          ),
          { minLength: 1, maxLength: 4 },
        ),
      })
      .map(({ code: [billing_code_type, billing_code], severity, negotiated_rates }) => ({
        billing_code_type,
        billing_code,
        ...(severity && { severity_of_illness: severity }),
        negotiated_rates,
      })),
    { minLength: 1, maxLength: 5 },
  ),
})

export const publishedFiles: fc.Arbitrary<PublishedFile[]> = fc
  .array(
    fc.record({
      payer: fc.constantFrom(...payers),
      month: fc.constantFrom(...months),
      plans: fc.uniqueArray(fc.constantFrom(...planNames), { maxLength: 2 }),
      networks: fc.uniqueArray(fc.constantFrom(...networkNames), { maxLength: 1 }),
      file: payerFile,
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((files) => files.map((file, index) => ({ ...file, digest: `digest-${index}` })))
