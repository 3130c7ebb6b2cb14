import * as fc from 'fast-check'

/** In-network documents of every shape and with every quirk that the reader knows, as fast-check makes them up. */
const sometimes = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown>, one = 8) =>
  fc.oneof({ weight: one, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd })

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('office visit', ' padded ', 'a "quoted" \\ word', 'Ünï ©', '', '{[', ']}', 'x'.repeat(40)),
)

const validNpi = fc.integer({ min: 1_000_000_000, max: 9_999_999_999 })
const npi = sometimes(
  fc.oneof(fc.constantFrom(1234567893, 1679576722, 1111111111), validNpi),
  fc.oneof(
    validNpi.map(String),
    fc.constantFrom<unknown>(0, '0', 12345, 12345678901, null, '', 'unknown', 1234567890.5, '0123456789', -1),
  ),
)
const npis = sometimes(fc.array(npi, { maxLength: 5 }), fc.oneof(npi, fc.constant([0]), fc.constant(null)))

const tin = fc.record(
  {
    type: fc.constantFrom('ein', 'npi', 'EIN', 'other', ''),
    value: fc.constantFrom<unknown>(
      '12-3456789',
      '123456789',
      '1234567893',
      '12345',
      123456789,
      '',
      'none',
      '0',
    ),
    business_name: text,
  },
  { requiredKeys: ['type', 'value'] },
)

const group = fc
  .tuple(npis, tin, fc.boolean())
  .map(([list, who, capital]) => (capital ? { NPI: list, tin: who } : { npi: list, tin: who }))
const groups = sometimes(fc.array(group, { maxLength: 3 }), fc.oneof(group, fc.constant(null)))

const referenceId = fc.constantFrom<unknown>(
  1,
  2,
  3,
  40,
  690.6447,
  62.0004808658,
  '7',
  '8.50',
  9007199254740991,
  'local-1',
)

const reference = fc.record(
  {
    provider_group_id: referenceId,
    provider_groups: groups,
    network_name: fc.oneof(fc.array(text, { maxLength: 2 }), fc.constant('PPO')),
    location: fc.constantFrom('https://example.org/1.json', 'sftp://nowhere', ''),
    unknown: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['provider_group_id'] },
)

const amount = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }).map((cents) => cents / 100),
  fc.constantFrom(0, 0.01, 99.9, 1234.5678, 100_000_001, 9_999_999, -5, 1e7, 12.34567),
)
const places = fc.constantFrom<unknown>('11', '02', '22', 'CSTM-00', '1', 11, '', null, '18')
const price = fc.record(
  {
    negotiated_type: fc.constantFrom(
      'negotiated',
      'fee schedule',
      'Derived',
      'percentage',
      'per diem',
      'guess',
    ),
    negotiated_rate: sometimes(
      amount,
      fc.oneof(amount.map(String), fc.constantFrom<unknown>(null, '', 'n/a')),
    ),
    expiration_date: fc.constantFrom<unknown>(
      '9999-12-31',
      '2026-01-31T00:00:00',
      '2/4/2026',
      'soon',
      '',
      null,
    ),
    billing_class: fc.constantFrom<unknown>(
      'professional',
      'institutional',
      'both',
      'Professional',
      'dental',
      null,
    ),
    setting: fc.constantFrom('inpatient', 'outpatient', 'both'),
    service_code: sometimes(fc.array(places, { maxLength: 4 }), places),
    billing_code_modifier: sometimes(
      fc.array(fc.constantFrom('26', 'TC', 'lt', '', '123'), { maxLength: 3 }),
      fc.constantFrom<unknown>('26', null),
    ),
    additional_information: fc.oneof(text, fc.constant('see contract')),
    extra: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['negotiated_type', 'negotiated_rate', 'billing_class'] },
)

const rate = fc.record(
  {
    negotiated_prices: sometimes(fc.array(price, { maxLength: 3 }), fc.oneof(price, fc.constant(null))),
    provider_references: sometimes(
      fc.array(sometimes(referenceId, fc.constantFrom(null, '')), { maxLength: 4 }),
      fc.oneof(referenceId, fc.constant(null)),
    ),
    provider_groups: groups,
    more: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['negotiated_prices'] },
)

const containedCode = fc.record(
  {
    billing_code_type: fc.constantFrom('CPT', 'hcpcs', 'RC'),
    billing_code_type_version: fc.constantFrom('2024', '10'),
    billing_code: fc.constantFrom('27447', 'J1885'),
    description: text,
  },
  { requiredKeys: ['billing_code_type', 'billing_code'] },
)

const item = fc
  .record(
    {
      negotiation_arrangement: fc.constantFrom('ffs', 'bundle', 'capitation', 'FFS', 'other'),
      name: text,
      description: text,
      billing_code_type: fc.constantFrom('CPT', 'MS-DRG', 'RC', 'YC', 'cpt'),
      billing_code_type_version: fc.constantFrom<unknown>('2024', 2024),
      billing_code: fc.constantFrom<unknown>('99213', '0100', 470, 'CSTM-00', ' A0425 '),
      severity_of_illness: fc.constantFrom('1', '4'),
      contained: optional(fc.tuple(fc.boolean(), fc.array(containedCode, { minLength: 1, maxLength: 2 }))),
      negotiated_rates: sometimes(fc.array(sometimes(rate, fc.constant(null), 20), { maxLength: 4 }), rate),
      unforeseen: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['billing_code', 'billing_code_type', 'negotiated_rates', 'contained'] },
  )
  .map(({ contained, ...rest }) => {
    if (!contained) return rest
    return contained[0]
      ? { ...rest, bundled_codes: contained[1] }
      : { ...rest, covered_services: contained[1] }
  })

export const payerDocument = fc.record(
  {
    reporting_entity_name: text,
    reporting_entity_type: fc.constant('health insurance issuer'),
    last_updated_on: fc.constantFrom('2026-01-05', '2026-01-05T00:00:00', 'January'),
    version: fc.constantFrom<unknown>('1.0.0', '2.1.0', 1),
    plan_name: text,
    plan_id_type: fc.constantFrom('EIN', 'hios'),
    issuer_name: text,
    provider_references: fc.array(reference, { maxLength: 4 }),
    in_network: sometimes(fc.array(item, { maxLength: 4 }), item),
    remark: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['in_network'] },
) as fc.Arbitrary<never>
