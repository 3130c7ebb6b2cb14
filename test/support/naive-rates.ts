import type { PublishedFile } from './payer-file.ts'

/** An entry, read straight from the rule: one distinct combination, with every network and plan it was met under. */
export interface NaiveEntry {
  readonly payer: string
  readonly month: number
  readonly tin: string
  readonly npi: number
  readonly type: string
  readonly code: string
  readonly severity: string
  readonly billingClass: string
  readonly setting: string
  readonly negotiatedType: string
  readonly serviceCodes: readonly string[]
  readonly modifiers: readonly string[]
  /** Ten-thousandths of a dollar. */
  readonly rate: number
  readonly networks: Set<string>
  readonly plans: Set<string>
  /** First seen: digest, item, rate object. */
  readonly first: readonly [digest: string, item: number, rate: number]
}

/** All entries of all files: a walk over the JSON with one map, and nothing clever. */
export function naiveEntries(files: readonly PublishedFile[]): NaiveEntry[] {
  const entries = new Map<string, NaiveEntry>()
  const inOrder = [...files].sort((a, b) => (a.digest < b.digest ? -1 : 1))
  for (const { payer, month, digest, plans, networks, file } of inOrder)
    for (const [itemIndex, item] of file.in_network.entries())
      for (const [rateIndex, rate] of item.negotiated_rates.entries()) {
        const reached = (rate.provider_groups ?? []).map((group) => ({ group, names: networks }))
        for (const id of rate.provider_references ?? [])
          for (const reference of file.provider_references ?? [])
            if (reference.provider_group_id === id)
              for (const group of reference.provider_groups)
                reached.push({
                  group,
                  names:
                    reference.network_name && reference.network_name.length > 0
                      ? reference.network_name
                      : networks,
                })
        for (const price of rate.negotiated_prices)
          for (const { group, names } of reached)
            for (const npi of group.npi) {
              if (npi === 0 && group.npi.length > 1) continue
              const tuple = {
                payer,
                month,
                tin: group.tin.value,
                npi,
                type: item.billing_code_type,
                code: item.billing_code,
                severity: item.severity_of_illness ?? '',
                billingClass: price.billing_class,
                setting: price.setting ?? '',
                negotiatedType: price.negotiated_type,
                serviceCodes: [...new Set(price.service_code)].sort(),
                modifiers: [...new Set(price.billing_code_modifier)].sort(),
                rate: Math.round(price.negotiated_rate * 10_000),
              }
              const key = JSON.stringify(tuple)
              let entry = entries.get(key)
              if (!entry) {
                entry = {
                  ...tuple,
                  networks: new Set(),
                  plans: new Set(),
                  first: [digest, itemIndex, rateIndex],
                }
                entries.set(key, entry)
              }
              for (const name of names) entry.networks.add(name)
              for (const plan of plans) entry.plans.add(plan)
            }
      }
  return [...entries.values()]
}
