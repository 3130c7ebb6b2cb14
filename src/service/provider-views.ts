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
    ...(await related(providers, [], record.tins ?? [])),
  }
}

async function hospitalView(providers: Providers, id: string): Promise<View | undefined> {
  const found = await providers.ccns({ ccns: [id] })
  const record = found[id]
  if (!record) return undefined
  const [npi] = record.groupNpis ?? []
  const [billing] = npi === undefined ? [] : await providers.npis({ npis: [npi] })
  return {
    kind: 'ccn',
    id,
    name: record.name ?? id,
    state: record.state ?? null,
    taxonomyCode: billing?.primaryTaxonomyCode ?? null,
    payers: record.inNetworkPayers ?? [],
    facts: facts([
      ['CCN', id],
      ['Type', record.providerType],
      [
        'Address',
        record.address ??
          [record.street, record.city, record.state, record.zipCode].filter(Boolean).join(', '),
      ],
      ['Phone', record.phone?.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')],
      ['Ownership', record.ownership],
      ['Beds', record.bedCount?.toLocaleString('en-US')],
      ['CMS rating', record.careQuality && `${record.careQuality} of 5`],
      ['Health system', record.affiliatedHealthSystem],
    ]),
    ...(await related(providers, record.groupNpis ?? [], record.tins ?? [])),
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
      [
        'Specialties',
        found?.taxonomyCodes
          ?.slice(0, specialtiesMost)
          .map((code) => taxonomyOf(code)?.name ?? code)
          .join(', '),
      ],
      ['States', record.states?.join(', ')],
      ['NPIs listed under it', found?.numNpis?.toLocaleString('en-US')],
    ]),
    ...(await related(providers, (record.relatedGroupNpis ?? []).map(Number), [])),
  }
}

const relatedMost = 50
const specialtiesMost = 6

/** The others that a provider belongs with, by name; a large TIN has thousands, so the first ones and how many. */
async function related(
  providers: Providers,
  npis: readonly number[],
  tins: readonly number[],
): Promise<Pick<View, 'related' | 'relatedTotal'>> {
  const shownNpis = npis.slice(0, relatedMost)
  const shownTins = tins.slice(0, relatedMost - shownNpis.length)
  const [people, taxpayers] = await Promise.all([
    shownNpis.length === 0 ? [] : providers.npis({ npis: shownNpis }),
    shownTins.length === 0 ? [] : providers.tins({ tins: shownTins }).then(({ tins }) => tins),
  ])
  return {
    related: [
      ...shownNpis.map((npi) => ({
        kind: 'npi' as const,
        id: String(npi),
        name: people.find((one) => one.npi === npi)?.name ?? null,
      })),
      ...shownTins.map((tin) => ({
        kind: 'tin' as const,
        id: String(tin).padStart(9, '0'),
        name: taxpayers.find((one) => one.tin === tin)?.tinName ?? null,
      })),
    ],
    relatedTotal: npis.length + tins.length,
  }
}

const facts = (lines: [string, string | null | undefined][]) =>
  lines.flatMap(([name, value]) => (value ? [{ name, value }] : []))
