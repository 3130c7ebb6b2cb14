import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFiles, publishFiles, type PublishedRates } from '../../test/support/published.ts'
import type { PayerFile, PublishedFile } from '../../test/support/payer-file.ts'
import { Failure } from '../errors.ts'
import { publishBuilds } from '../warehouse/manifest.ts'
import { ProviderAttributes } from '../warehouse/provider-attributes.ts'
import { openRates } from '../warehouse/rates.ts'
import type { BenchmarksRequest } from './benchmarks.ts'
import { Pricing } from './pricing.ts'
import type { ProviderRatesRequest } from './provider-rates.ts'

const npi = 1_000_000_004
const codes = Array.from({ length: 25 }, (_, index) => String(99_000 + index))

const file = (extra: number): PayerFile => ({
  in_network: codes.map((billing_code, index) => ({
    billing_code_type: 'CPT',
    billing_code,
    negotiated_rates: [
      {
        provider_groups: [{ npi: [npi], tin: { type: 'ein', value: '123456789' } }],
        negotiated_prices: [10 + index + extra, 20 + index + extra].map((negotiated_rate) => ({
          negotiated_type: 'negotiated',
          negotiated_rate,
          billing_class: 'professional',
          service_code: ['11', '22'],
        })),
      },
    ],
  })),
})
const published = (extra: number): PublishedFile => ({
  payer: 'Aetna',
  month: 202605,
  digest: `file-${extra}`,
  plans: ['PPO'],
  networks: ['Choice'],
  file: file(extra),
})

const request: ProviderRatesRequest = {
  providers: { npis: [npi] },
  payers: ['Aetna'],
  billingCodeAndTypes: [],
  groupBy: ['billingCode'],
}
const call = { organization: 'org-1' }

const attributes = new ProviderAttributes('directory-1')
attributes.add({ npi, state: 'FL', zip: '33101', taxonomy: '207Q00000X', entityType: 'individual' })

let store: PublishedRates
const pricingOf = (rates = store.rates, more = {}) =>
  new Pricing(rates, { attributes: async () => attributes }, { secret: 'x'.repeat(32), ...more })

beforeAll(async () => {
  store = await publishFiles([published(0)])
})
afterAll(() => store.remove())

async function walk(pricing: Pricing, pageSize: number, between: () => Promise<void> = async () => {}) {
  const rows: unknown[] = []
  let cursor: string | undefined
  do {
    const { body } = await pricing.providerRatesPage(request, { pageSize, cursor }, call)
    expect(body.data.length).toBeLessThanOrEqual(pageSize)
    expect(body.sourceMonths).toEqual(['202605'])
    rows.push(...body.data)
    cursor = body.nextCursor ?? undefined
    await between()
  } while (cursor !== undefined)
  return rows
}

describe('pages of provider rates', () => {
  it('return exactly the rows of the array, once each and in the same order, for every page size', async () => {
    const pricing = pricingOf()
    const { body } = await pricing.providerRates(request, call)
    expect(body).toHaveLength(50)
    for (const pageSize of [1, 7, 50, 51]) expect(await walk(pricing, pageSize)).toEqual(body)
  })

  it('stay on one snapshot while new data are published in the middle', async () => {
    const own = await publishFiles([published(0)])
    const pricing = pricingOf(own.rates)
    const { body: before } = await pricing.providerRates(request, call)
    let extra = 0
    const rows = await walk(pricing, 9, async () => {
      await publishBuilds(own.folder, await buildFiles(own.folder, [published(++extra)]))
    })
    expect(rows).toEqual(before)
    const later = openRates(own.folder)
    const { body: after } = await pricingOf(later).providerRates(request, call)
    expect(after).not.toEqual(before)
    later.close()
    own.remove()
  })

  it('refuse a cursor that was changed, that belongs to another question or organisation, or that has expired', async () => {
    let now = 1_000
    const pricing = pricingOf(store.rates, { now: () => now, cursorMs: 500 })
    const first = await pricing.providerRatesPage(request, { pageSize: 5 }, call)
    const cursor = first.body.nextCursor!
    const refused = (changed: Promise<unknown>) =>
      expect(changed).rejects.toMatchObject({ code: 'invalid_cursor' })
    const at = cursor.length - 3
    const other = cursor[at] === 'A' ? 'B' : 'A'
    await refused(
      pricing.providerRatesPage(
        request,
        { cursor: cursor.slice(0, at) + other + cursor.slice(at + 1) },
        call,
      ),
    )
    await refused(pricing.providerRatesPage(request, { cursor: 'c1.e30.AAAA' }, call))
    await refused(pricing.providerRatesPage({ ...request, groupBy: ['payer'] }, { cursor }, call))
    await refused(pricing.providerRatesPage(request, { cursor }, { organization: 'org-2' }))
    await expect(pricing.providerRatesPage(request, { cursor, pageSize: 3 }, call)).resolves.toBeDefined()
    now += 501
    await refused(pricing.providerRatesPage(request, { cursor }, call))
  })

  it('never mix two states of the directory', async () => {
    let directory = attributes
    const pricing = new Pricing(
      store.rates,
      { attributes: async () => directory },
      { secret: 'x'.repeat(32) },
    )
    const asked = { ...request, groupBy: ['billingCode' as const, 'npiState' as const] }
    const { body } = await pricing.providerRatesPage(asked, { pageSize: 5 }, call)
    directory = new ProviderAttributes('directory-2')
    await expect(pricing.providerRatesPage(asked, { cursor: body.nextCursor! }, call)).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('end when Medicare tables or hospitals are loaded anew, and go on where rows do not depend on them', async () => {
    let [version, hospital] = ['tables-1', [npi]]
    const pricing = new Pricing(
      store.rates,
      {
        attributes: async () => attributes,
        version: async () => version,
        hospitalNpis: async (ccns) => new Map(ccns.map((ccn) => [ccn, hospital])),
      },
      { secret: 'x'.repeat(32) },
    )
    const questions: [ProviderRatesRequest, boolean][] = [
      [request, false],
      [{ ...request, groupBy: ['billingCode', 'billingCodeGroup'] }, true],
      [{ ...request, providers: { ccns: ['050454'] } }, true],
    ]
    for (const [asked, depends] of questions) {
      const first = await pricing.providerRatesPage(asked, { pageSize: 30 }, call)
      const cursor = first.body.nextCursor!
      const second = await pricing.providerRatesPage(asked, { cursor }, call)
      expect([...first.body.data, ...second.body.data]).toHaveLength(50)
      version += '+'
      const later = await pricing.providerRatesPage(asked, { cursor }, call).then(
        ({ body }) => body.data,
        (error: Failure) => error.code,
      )
      expect(later).toEqual(depends ? 'invalid_cursor' : second.body.data)
    }
    const [byHospital] = questions[2]!
    expect((await pricing.providerRates(byHospital, call)).body).toHaveLength(50)
    hospital = []
    expect((await pricing.providerRates(byHospital, call)).body).toEqual([])
  })

  it("keep to the organisation's page size", async () => {
    const pricing = pricingOf()
    const { body } = await pricing.providerRatesPage(request, {}, { ...call, pageSizeMost: 4 })
    expect(body.data).toHaveLength(4)
    await expect(
      pricing.providerRatesPage(request, { pageSize: 5 }, { ...call, pageSizeMost: 4 }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('limits', () => {
  const market: BenchmarksRequest = {
    filters: {
      states: ['FL'],
      taxonomyCodes: ['207Q00000X'],
      payers: ['Aetna'],
      billingCodeAndTypes: codes.map((code) => ({ code, type: 'CPT' })),
    },
    metrics: { aggregations: ['num_entries'] },
  }

  it('take a code in any form that files publish it in', async () => {
    const drg = await publishFiles([
      {
        ...published(0),
        file: {
          in_network: (['470', '', '042', '1', '042', '2', '0450', ''] as const).flatMap((code, at, all) =>
            at % 2 === 1
              ? []
              : [
                  {
                    billing_code_type: code === '470' ? 'MS-DRG' : code === '042' ? 'APR-DRG' : 'RC',
                    billing_code: code,
                    ...(all[at + 1] && { severity_of_illness: all[at + 1]! }),
                    negotiated_rates: file(at).in_network[0]!.negotiated_rates,
                  },
                ],
          ),
        },
      },
    ])
    const entries = async (type: string, code: string) => {
      const asked = {
        ...market,
        filters: { ...market.filters, billingCodeAndTypes: [{ type, code }] },
      } as BenchmarksRequest
      return (await pricingOf(drg.rates).benchmarks(asked, call)).body[0]?.value ?? 0
    }
    expect(await entries('MS-DRG', '470')).toBe(2)
    expect(await entries('MS-DRG', '0470')).toBe(2)
    expect(await entries('RC', '450')).toBe(2)
    expect(await entries('APR-DRG', '42')).toBe(4)
    expect(await entries('APR-DRG', '0421')).toBe(2)
    expect(await entries('APR-DRG', '042-3')).toBe(0)
    drg.remove()
  })

  it('name what was too much', async () => {
    const pricing = pricingOf(store.rates, { limits: { codesMost: 3 } })
    await expect(pricing.benchmarks(market, call)).rejects.toMatchObject({
      code: 'query_too_wide',
      message: expect.stringContaining('codesMost allows 3') as string,
    })
  })

  it('answer the same from a cache that holds nothing', async () => {
    const bare = openRates(store.folder, { cacheBytes: 1 })
    const asked = { ...market, groupBy: ['billingCode' as const] }
    const { body } = await pricingOf(bare).benchmarks(asked, call)
    expect(body).toEqual((await pricingOf().benchmarks(asked, call)).body)
    const rows = await pricingOf(bare).providerRates(request, call)
    expect(rows.body).toEqual((await pricingOf().providerRates(request, call)).body)
    bare.close()
  })

  it('refuse answers of more rows than an array may have', async () => {
    const pricing = pricingOf(store.rates, { limits: { rowsMost: 24 } })
    const asked = { ...market, groupBy: ['billingCode' as const] }
    await expect(pricing.benchmarks(asked, call)).rejects.toMatchObject({ code: 'query_too_wide' })
    await expect(pricing.providerRates(request, call)).rejects.toMatchObject({ code: 'query_too_wide' })
    await expect(pricing.providerRatesPage(request, {}, call)).resolves.toBeDefined()
  })

  it('stop the computation itself when its caller leaves or its time is up', async () => {
    let looks = 0
    const watched = {
      ...store.rates,
      async current() {
        const snapshot = await store.rates.current()
        const cache = Object.create(snapshot.cache) as typeof snapshot.cache
        cache.prices = (build, codeRow) => {
          looks++
          for (const end = performance.now() + 1; performance.now() < end;);
          return snapshot.cache.prices(build, codeRow)
        }
        return Object.assign(Object.create(snapshot) as typeof snapshot, { cache })
      },
    }
    const asked = { ...market, groupBy: ['billingCode' as const] }
    const whole = pricingOf(watched, { turnMs: 0 })
    await whole.benchmarks(asked, call)
    expect(looks).toBe(codes.length)
    for (const kind of ['benchmarks', 'market rates', 'provider rates'] as const)
      for (const way of ['leaves', 'time is up'] as const) {
        looks = 0
        const limits = way === 'leaves' ? {} : { queryMs: 0 }
        const pricing = pricingOf(watched, { turnMs: 0, limits })
        const caller = new AbortController()
        const signal = { ...call, signal: caller.signal }
        const asking = {
          benchmarks: () => pricing.benchmarks(asked, signal),
          'market rates': () =>
            pricing.marketRates({ filters: { ...market.filters }, limit: { offset: 10 } }, signal),
          'provider rates': () => pricing.providerRates(request, signal),
        }[kind]()
        const code = way === 'leaves' ? 'request_timeout' : 'query_timeout'
        if (way === 'leaves')
          setImmediate(() => caller.abort(new Failure('request_timeout', 'The client left.')))
        await expect(asking, `${kind}: ${way}`).rejects.toMatchObject({ code })
        expect(looks, `${kind}: ${way}`).toBeLessThan(codes.length)
        const seen = looks
        await new Promise((resolve) => setTimeout(resolve, 20))
        expect(looks).toBe(seen)
      }
  })

  it('stop a question that waits for its turn', async () => {
    const pricing = pricingOf(store.rates, { scheduler: { heavyRows: 0, heavyAtOnce: 0, waitingMost: 10 } })
    await expect(
      pricing.benchmarks(market, { ...call, signal: AbortSignal.timeout(20) }),
    ).rejects.toMatchObject({
      code: 'query_timeout',
    })
  })

  it('answer from the snapshot that the caller pins', async () => {
    const pricing = pricingOf()
    const { snapshot, body } = await pricing.benchmarks(market, call)
    expect(body).toEqual([{ metrics: 'num_entries', value: 50 }])
    await expect(pricing.benchmarks(market, { ...call, snapshot })).resolves.toEqual({ snapshot, body })
    await expect(pricing.benchmarks(market, { ...call, snapshot: 'gone' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('market rates', () => {
  it('list entries with their place of first sight, sorted before the page is cut', async () => {
    const pricing = pricingOf()
    const filters = { states: ['FL'], taxonomyCodes: ['207Q00000X'], payers: ['Aetna'] }
    const { body } = await pricing.marketRates(
      { filters, sortInfo: [{ id: 'rate', desc: true }], limit: { start: 1, offset: 2 } },
      call,
    )
    expect(body.total).toBe(50)
    expect(body.rows.map(({ rate }) => rate)).toEqual([43, 42])
    expect(body.rows[0]).toMatchObject({
      payer: 'Aetna',
      yearMonth: { year: 2026, month: 5 },
      npi,
      tin: 123_456_789,
      serviceCode: '11; 22',
      billingCodeModifier: 'none',
      entries: 1,
      source: { file: 'file-0', place: 'in_network[23].negotiated_rates[0]' },
    })
  })

  it('collapse what is asked to be collapsed, and aggregate the rates', async () => {
    const pricing = pricingOf()
    const filters = { states: ['FL'], taxonomyCodes: ['207Q00000X'], payers: ['Aetna'] }
    const { body } = await pricing.marketRates(
      {
        filters,
        aggregatedColumns: ['billingCode', 'serviceCode', 'network'],
        rateAggregation: 'max',
        limit: { offset: 10 },
      },
      call,
    )
    expect(body.total).toBe(1)
    expect(body.rows[0]).toMatchObject({
      rate: 44,
      entries: 50,
      network: 'Choice',
      billingCode: codes.join('; '),
    })
  })
})

describe('payers and plans', () => {
  it('come from what is published', async () => {
    const pricing = pricingOf()
    const { body: payers } = await pricing.payers({})
    expect(payers.find(({ payer }) => payer === 'Aetna')).toEqual({
      payer: 'Aetna',
      yearMonths: [{ year: 2026, month: 5 }],
    })
    expect((await pricing.plans('Aetna', {})).body).toEqual([{ planName: 'PPO', count: 50 }])
  })
})
