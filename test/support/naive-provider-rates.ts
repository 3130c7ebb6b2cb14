import { byPeriod, passes, type NaiveFilters, type NaiveReference } from './naive-benchmarks.ts'
import type { NaiveEntry } from './naive-rates.ts'

export interface NaiveProviderRequest extends NaiveFilters {
  readonly providers: {
    readonly npis?: readonly number[] | undefined
    readonly tins?: readonly number[] | undefined
    readonly ccns?: readonly string[] | undefined
  }
  readonly groupBy?: readonly string[] | undefined
}

const orNone = (values: readonly string[]) => (values.length > 0 ? values : ['none'])

/** Provider rates by the book. `hospitals` lists the NPIs of each CCN. */
export function naiveProviderRates(
  reference: NaiveReference & { readonly hospitals: Readonly<Record<string, readonly number[]>> },
  request: NaiveProviderRequest,
): Record<string, unknown>[] {
  const groupBy = [...new Set(request.groupBy)]
  const splitBy = groupBy.filter((field) => field !== 'network' && field !== 'planName')
  const rows: Record<string, unknown>[] = []
  for (const { yearMonth, entries } of byPeriod(reference.entries, request, reference.published)) {
    const { npis = [], tins = [], ccns = [] } = request.providers
    const asked: [string, (entry: NaiveEntry) => boolean][] = [
      ...[...new Set(npis)].map((npi): [string, (entry: NaiveEntry) => boolean] => [
        `npi_${npi}`,
        (entry) => entry.npi === npi,
      ]),
      ...[...new Set(tins)].map((tin): [string, (entry: NaiveEntry) => boolean] => [
        `tin_${tin}`,
        (entry) => Number(entry.tin) === tin,
      ]),
      ...[...new Set(ccns)].map((ccn): [string, (entry: NaiveEntry) => boolean] => {
        const members = reference.hospitals[ccn] ?? []
        return [
          `ccn_${ccn}`,
          (entry) =>
            members.includes(entry.npi) ||
            reference.entries.some(
              (other) =>
                other.payer === entry.payer &&
                other.month === entry.month &&
                other.tin === entry.tin &&
                members.includes(other.npi),
            ),
        ]
      }),
    ]
    for (const [metrics, matches] of asked) {
      const found = new Map<
        string,
        { values: string[]; rate: number; networks: Set<string>; plans: Set<string> }
      >()
      for (const entry of entries) {
        if (!matches(entry) || !passes(entry, request)) continue
        const provider = reference.directory.find(({ npi }) => npi === entry.npi)
        const group = reference.codeGroup(entry.type, entry.code)
        const valuesOf: Record<string, readonly string[]> = {
          payer: [entry.payer],
          npiState: [provider?.state ?? 'none'],
          taxonomyCode: [provider?.taxonomy ?? 'none'],
          entityType: [provider?.entityType ?? 'none'],
          negotiatedType: [entry.negotiatedType],
          billingClass:
            entry.billingClass === 'both' ? ['professional', 'institutional'] : [entry.billingClass],
          billingCodeType: [entry.type],
          billingCode: [entry.code],
          billingCodeGroup: [group?.group ?? 'unclassified'],
          billingCodeSubgroup: [group?.subgroup ?? 'unclassified'],
          serviceCode: orNone(entry.serviceCodes),
          billingCodeModifier: orNone(entry.modifiers),
        }
        let combinations: string[][] = [[]]
        for (const field of splitBy)
          combinations = combinations.flatMap((before) => valuesOf[field]!.map((value) => [...before, value]))
        for (const values of combinations) {
          const key = JSON.stringify([values, entry.rate])
          if (!found.has(key))
            found.set(key, { values, rate: entry.rate, networks: new Set(), plans: new Set() })
          for (const name of entry.networks) found.get(key)!.networks.add(name)
          for (const name of entry.plans) found.get(key)!.plans.add(name)
        }
      }
      const inOrder = [...found.values()].sort((a, b) => {
        for (const [at, value] of a.values.entries())
          if (value !== b.values[at]) return value < b.values[at]! ? -1 : 1
        return a.rate - b.rate
      })
      for (const { values, rate, networks, plans } of inOrder)
        rows.push({
          metrics,
          value: rate / 10_000,
          ...Object.fromEntries(splitBy.map((field, at) => [field, values[at]])),
          ...(groupBy.includes('network') && { network: [...networks].sort() }),
          ...(groupBy.includes('planName') && { planName: [...plans].sort() }),
          ...(yearMonth && { yearMonth }),
        })
    }
  }
  return rows
}
