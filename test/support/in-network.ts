/** A small in-network file for tests; every part can be replaced. */
export function inNetworkFile(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    reporting_entity_name: 'Aetna',
    reporting_entity_type: 'insurer',
    last_updated_on: '2026-05-01',
    version: '2.0.0',
    provider_references: [reference(1, [1234567893], '12-3456789')],
    in_network: [item('CPT', '99213', [1], [price(100.25), price(80)])],
    ...more,
  }
}

export const reference = (id: number, npi: readonly number[], tin: string) => ({
  provider_group_id: id,
  network_name: ['Open Network'],
  provider_groups: [{ npi, tin: { type: 'ein', value: tin, business_name: 'A Practice' } }],
})

export const item = (
  type: string,
  code: string,
  references: readonly number[],
  prices: readonly object[],
) => ({
  negotiation_arrangement: 'ffs',
  name: 'A service',
  billing_code_type: type,
  billing_code_type_version: '2026',
  billing_code: code,
  description: 'A service',
  negotiated_rates: [{ provider_references: references, negotiated_prices: prices }],
})

export const price = (rate: number, more: Record<string, unknown> = {}) => ({
  negotiated_type: 'negotiated',
  negotiated_rate: rate,
  expiration_date: '9999-12-31',
  service_code: ['11'],
  billing_class: 'professional',
  setting: 'outpatient',
  ...more,
})

/** An index that lists files for plans, each structure apart. */
export const indexFile = (
  structures: readonly {
    readonly plans: readonly string[]
    readonly files: readonly string[]
    readonly allowed?: string
  }[],
) => ({
  reporting_entity_name: 'Aetna',
  reporting_entity_type: 'insurer',
  last_updated_on: '2026-05-01',
  version: '2.0.0',
  reporting_structure: structures.map(({ plans, files, allowed }) => ({
    reporting_plans: plans.map((name) => ({
      plan_name: name,
      plan_id_type: 'ein',
      plan_id: '123456789',
      plan_market_type: 'group',
      issuer_name: 'Aetna',
      plan_sponsor_name: 'A Sponsor',
    })),
    in_network_files: files.map((location) => ({ description: 'Open Network in-network file', location })),
    ...(allowed && { allowed_amount_file: { description: 'allowed amounts', location: allowed } }),
  })),
})

export const bytesOf = (document: unknown) => Buffer.from(JSON.stringify(document))
