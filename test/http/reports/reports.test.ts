import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/api-keys.ts'
import { expectProblem, newCaller } from '../../support/doors.ts'
import { testServer } from '../../support/service.ts'

const query = {
  states: ['FL'],
  payers: ['Aetna'],
  billingCodeAndTypes: [{ code: '99213', type: 'CPT' }],
}

/** A server without data: reports over it are empty, and everything around them is real. */
async function opened() {
  const { app, service } = await testServer()
  const caller = await newCaller(service)
  const send = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    payload?: unknown,
    { apiKey = caller.apiKey, ...headers }: Record<string, string> = {},
  ) =>
    app.inject({
      method,
      url: `/api/v1/reports${path}`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    })
  const ready = async (id: string) => {
    for (;;) {
      const report: { status: string } = (await send('GET', `/${id}`)).json()
      if (report.status === 'ready') return report
      expect(report.status).not.toBe('failed')
      await new Promise((resume) => setTimeout(resume, 20))
    }
  }
  return { app, service, ...caller, send, ready }
}

describe('reports over HTTP', () => {
  it('are made with 202, read with an ETag, changed under If-Match, and counted', async () => {
    const { send, ready, service, organization } = await opened()
    const made = await send('POST', '', { name: 'Mine', query }, { 'idempotency-key': 'a' })
    expect(made.statusCode).toBe(202)
    const { id } = made.json() as { id: string }
    const again = await send('POST', '', { name: 'Mine', query }, { 'idempotency-key': 'a' })
    expect((again.json() as { id: string }).id).toBe(id)
    expect([made, again].map(({ headers }) => headers['x-credits-charged'])).toEqual(['1', '0'])
    await ready(id)
    const read = await send('GET', `/${id}`)
    const etag = String(read.headers['etag'])
    const config = { tabType: 'sample', yourTins: [{ value: '12-3456789' }] }
    const saved = await send(
      'POST',
      `/${id}/actions`,
      { contractModelConfigAction: { config } },
      { 'if-match': etag },
    )
    expect(saved.json()).toMatchObject({
      contractModelConfig: {
        tabType: 'sample',
        yourTins: [{ value: 123456789, title: '123456789', grouping: null }],
      },
    })
    for (const headers of [{ 'if-match': etag }, {}])
      expectProblem(
        await send('POST', `/${id}/actions`, { contractModelConfigAction: { config } }, headers),
        'precondition_failed',
      )
    expectProblem(
      await send('PATCH', `/${id}`, { name: 'Late' }, { 'if-match': etag }),
      'precondition_failed',
    )
    const renamed = await send(
      'PATCH',
      `/${id}`,
      { name: ' In time ' },
      { 'if-match': String(saved.headers['etag']) },
    )
    expect(renamed.json()).toMatchObject({ name: 'In time' })
    const rows = await send('POST', `/${id}/rows`, {})
    expect(rows.json()).toMatchObject({
      data: [],
      nextCursor: null,
      totalRows: 0,
      leftOut: { rowsMatched: 0 },
    })
    const left = await service.records.db
      .selectFrom('organizations')
      .select('credits')
      .where('id', '=', organization.id)
      .executeTakeFirstOrThrow()
    expect(left.credits).toBe(4)
  })

  it('answer every tab and every format, also without a single row', async () => {
    const { send, ready } = await opened()
    const { id } = (await send('POST', '', { name: 'Mine', query })).json() as { id: string }
    await ready(id)
    const tabs = [
      'interactiveChart',
      'summaryPivot',
      'percentile',
      'sample',
      'rateChange',
      'weightedContract',
      'dummyClaims',
      'modelContract',
    ]
    for (const tab of tabs) {
      const answer = await send('POST', `/${id}/views/${tab}`, {})
      expect({ tab, status: answer.statusCode }).toEqual({ tab, status: 200 })
      expect(answer.json()).toMatchObject({ leftOut: { rowsUsed: 0 } })
    }
    for (const [format, type] of [
      ['csv', /^text\/csv/],
      ['parquet', /parquet/],
      ['xlsx', /spreadsheetml/],
    ] as const) {
      const file = await send('GET', `/${id}/export?format=${format}`)
      expect(file.statusCode).toBe(200)
      expect(file.headers['content-type']).toMatch(type)
      expect(file.headers['content-disposition']).toContain(`Mine.${format}`)
      expect(file.rawPayload.length).toBeGreaterThan(100)
    }
  })

  it('tell every problem of a request by its path', async () => {
    const { send } = await opened()
    const wrong = await send('POST', '', {
      name: '',
      query: { payers: ['Aetna'], billingCodeAndTypes: [], taxonomyCodes: ['207RC0000X'], yearMonth: 1 },
    })
    const { errors } = expectProblem(wrong, 'invalid_request') as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path)).toEqual(expect.arrayContaining(['name', 'query.yearMonth']))
    const neither = await send('POST', '', {
      name: 'x',
      query: { payers: ['Aetna'], billingCodeAndTypes: [] },
    })
    expect(expectProblem(neither, 'invalid_request')).toMatchObject({ errors: [{ path: 'query.states' }] })
    expectProblem(await send('GET', '/not-an-id'), 'invalid_request')
    expectProblem(await send('GET', '/3b1f8a52-6d0c-4f0e-9a53-5f0c9b1e2f4e'), 'not_found')
    expectProblem(await send('GET', '?cursor=c1.x.y'), 'invalid_cursor')
    expectProblem(await send('POST', '/3b1f8a52-6d0c-4f0e-9a53-5f0c9b1e2f4e/actions', {}), 'invalid_request')
  })

  it('tell a filter on a column that there is not by its path', async () => {
    const { send, ready } = await opened()
    const { id } = (await send('POST', '', { name: 'Mine', query })).json() as { id: string }
    await ready(id)
    const filter = { op: 'AND', filters: [{ op: 'EQUAL', field: 'payr', value: 'x' }] }
    for (const path of ['rows', 'views/percentile']) {
      const answer = await send('POST', `/${id}/${path}`, { filter })
      expect(expectProblem(answer, 'invalid_request')).toMatchObject({
        errors: [{ path: 'filter.filters[0].field' }],
      })
    }
    const sorted = await send('POST', `/${id}/rows`, { sorts: [{ id: 'best_of', desc: true }] })
    expect(expectProblem(sorted, 'invalid_request')).toMatchObject({ errors: [{ path: 'sorts[0].id' }] })
  })

  it('belong to an organisation, and to keys that may use them', async () => {
    const { send, service, organization } = await opened()
    const { id } = (await send('POST', '', { name: 'Mine', query })).json() as { id: string }
    const other = await newCaller(service)
    expectProblem(await send('GET', `/${id}`, undefined, { apiKey: other.apiKey }), 'not_found')
    const limits = { groups: ['Payer'], tools: null, expiresAt: null }
    const narrow = await createKey(service.records, organization.id, 'Payers only', {
      limits,
      now: service.now(),
    })
    expectProblem(await send('GET', `/${id}`, undefined, { apiKey: narrow.apiKey }), 'forbidden')
    expect((await send('GET', '')).json()).toMatchObject({
      reports: [{ id, createdBy: 'A key' }],
      nextCursor: null,
    })
  })
})
