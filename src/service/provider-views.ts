import { Failure } from '../errors.ts'
import type { WebResponse } from '../operations/app.ts'
import type { Providers } from '../providers/open.ts'
import { taxonomyOf } from '../vocabulary/taxonomy.ts'

type Suggestion = WebResponse<'suggestProviders'>[number]
type View = WebResponse<'provider'>
type Kind = View['kind']

const shownOfEach = 6

/** Providers, hospitals and taxpayers that a few letters may mean, hospitals first: they are few and often meant. */
export async function suggestProviders(providers: Providers, query: string): Promise<Suggestion[]> {
  const digits = /^\d+$/.test(query)
  if (digits && query.length < 3) return []
  const [hospitals, npis, tins] = await Promise.all([
    providers.ccnSearch({ searchTerms: [query], suggestionsOnly: true, limit: shownOfEach }),
    providers.npiSearch({ searchTerm: query, suggestionsOnly: true, limit: shownOfEach }),
    providers.tinSearch({ searchTerm: query, suggestionsOnly: true, limit: shownOfEach }),
  ])
  const line =
    (kind: Kind) =>
    (found: {
      value?: string | number | undefined
      title?: string | undefined
      state?: string | undefined
    }) => ({
      kind,
      id: String(found.value),
      title: found.title ?? String(found.value),
      state: found.state ?? null,
    })
  return [
    ...hospitals.slice(0, shownOfEach).map(line('ccn')),
    ...npis.slice(0, shownOfEach).map(line('npi')),
    ...tins.slice(0, shownOfEach).map(line('tin')),
  ]
}

/** Who a provider is, as its page shows it; a `not_found` failure where the directory does not know it. */
export async function providerView(providers: Providers, kind: Kind, id: string): Promise<View> {
  const view = await { npi: npiView, ccn: hospitalView, tin: tinView }[kind](providers, id)
  if (!view) throw new Failure('not_found', `The directory knows no ${kind.toUpperCase()} ${id}.`)
  return view
}

async function npiView(providers: Providers, id: string): Promise<View | undefined> {
  const [record] = await providers.npis({ npis: [Number(id)] })
  if (!record) return undefined
  const taxonomy = record.primaryTaxonomyCode
  return {
    kind: 'npi',
    id,
    name: record.name ?? id,
    state: record.state ?? null,
    taxonomyCode: taxonomy ?? null,
    payers: record.payers ?? [],
    facts: facts([
      ['NPI', id],
      ['Kind', record.entityType],
      ['Credentials', record.credentials],
      ['Specialty', taxonomy && `${taxonomyOf(taxonomy)?.name ?? ''} (${taxonomy})`],
      ['State', record.state],
      ['Counties', record.counties?.join(', ')],
    ]),
    related: (record.tins ?? []).map((tin) => ({ kind: 'tin', id: String(tin) })),
  }
}

async function hospitalView(providers: Providers, id: string): Promise<View | undefined> {
  const found = await providers.ccns({ ccns: [id] })
  const record = found[id]
  if (!record) return undefined
  return {
    kind: 'ccn',
    id,
    name: record.name ?? id,
    state: record.state ?? null,
    taxonomyCode: null,
    payers: record.inNetworkPayers ?? [],
    facts: facts([
      ['CCN', id],
      ['Type', record.providerType],
      [
        'Address',
        record.address ??
          [record.street, record.city, record.state, record.zipCode].filter(Boolean).join(', '),
      ],
      ['Phone', record.phone],
      ['Ownership', record.ownership],
      ['Beds', record.bedCount?.toLocaleString('en-US')],
      ['CMS rating', record.careQuality && `${record.careQuality} of 5`],
      ['Health system', record.affiliatedHealthSystem],
    ]),
    related: [
      ...(record.groupNpis ?? []).map((npi) => ({ kind: 'npi' as const, id: String(npi) })),
      ...(record.tins ?? []).map((tin) => ({ kind: 'tin' as const, id: String(tin) })),
    ],
  }
}

async function tinView(providers: Providers, id: string): Promise<View | undefined> {
  const [record] = (await providers.tins({ tins: [Number(id)] })).tins
  if (!record) return undefined
  const [found] = await providers.tinSearch({ tins: [Number(id)], limit: 1 })
  return {
    kind: 'tin',
    id,
    name: record.tinName ?? id,
    state: record.states?.[0] ?? null,
    taxonomyCode: found?.taxonomyCodes?.[0] ?? null,
    payers: [],
    facts: facts([
      ['TIN', id.padStart(9, '0')],
      ['Kind', found?.tinType === 'npi' ? 'an NPI reported in place of a TIN' : 'employer number'],
      ['States', record.states?.join(', ')],
      ['NPIs listed under it', found?.numNpis?.toLocaleString('en-US')],
    ]),
    related: (record.relatedGroupNpis ?? []).map((npi) => ({ kind: 'npi', id: npi })),
  }
}

const facts = (lines: [string, string | null | undefined][]) =>
  lines.flatMap(([name, value]) => (value ? [{ name, value }] : []))
