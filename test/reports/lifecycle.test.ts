import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Failure, type FailureCode } from '../../src/errors.ts'
import { SavedContractModelConfig } from '../../src/operations/contract-model.ts'
import { publishBuilds } from '../../src/warehouse/manifest.ts'
import { buildFiles } from '../support/published.ts'
import { freshWorld } from '../support/fresh-report-world.ts'
import { untilBuilt, worldFiles, worldQuery } from '../support/report-world.ts'

const name = 'A market'
const page = { rateAggregation: 'none' as const, pagination: { pageSize: 1 } }
const config = (tabType: 'percentile' | 'sample') => SavedContractModelConfig.parse({ tabType })

async function refused(work: Promise<unknown>): Promise<FailureCode> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Failure)
  return (error as Failure).code
}

describe('a report', () => {
  it('is queued, built and ready, and says what it was made from', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const queued = await world.reports.create({ name, query: worldQuery }, call)
    expect(queued).toMatchObject({
      name,
      state: 'active',
      rowCount: null,
      columns: [],
      contractModelConfig: null,
    })
    const ready = await untilBuilt(world.reports, queued.id, call)
    expect(ready).toMatchObject({
      status: 'ready',
      error: null,
      progress: 1,
      sourceMonths: ['202604', '202605'],
      snapshot: (await world.store.rates.current()).id,
      query: worldQuery,
    })
    const estimate = await world.reports.estimate({ query: worldQuery }, call)
    expect(estimate).toMatchObject({ rows: ready.rowCount, fits: true, sourceMonths: ['202604', '202605'] })
    expect(ready.rowCount).toBeGreaterThan(500)
  })

  it('is made once however often the same Idempotency-Key is sent', async () => {
    const world = await freshWorld()
    const call = { ...(await world.caller()), idempotencyKey: 'k1' }
    const made = await Promise.all(
      Array.from({ length: 5 }, () => world.reports.create({ name, query: worldQuery }, call)),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await refused(world.reports.create({ name: 'Another', query: worldQuery }, call))).toBe('conflict')
    const other = { ...(await world.caller()), idempotencyKey: 'k1' }
    const theirs = await world.reports.create({ name, query: worldQuery }, other)
    expect(theirs.id).not.toBe(made[0]!.id)
    expect((await world.reports.list({ state: 'active', limit: 50 }, call)).reports).toHaveLength(1)
    await untilBuilt(world.reports, made[0]!.id, call)
  })

  it('moves between active, archived and deleted as the table says, and no other way', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const id = await world.built(call)
    const act = (event: 'Archive' | 'Unarchive') => world.reports.act({ id, archiveAction: { event } }, call)
    const listed = async (state: 'active' | 'archived') =>
      (await world.reports.list({ state, limit: 50 }, call)).reports.map((report) => report.id)
    expect(await refused(act('Unarchive'))).toBe('conflict')
    expect((await act('Archive')).report.state).toBe('archived')
    expect([await listed('active'), await listed('archived')]).toEqual([[], [id]])
    expect(await refused(act('Archive'))).toBe('conflict')
    expect((await world.reports.rows({ id, ...page }, call)).data).toHaveLength(1)
    expect((await act('Unarchive')).report.state).toBe('active')
    expect([await listed('active'), await listed('archived')]).toEqual([[id], []])
    await world.reports.act({ id, deleteAction: { event: 'Delete' } }, call)
    expect([await listed('active'), await listed('archived')]).toEqual([[], []])
    expect(await refused(world.reports.read(id, call))).toBe('not_found')
    expect(await refused(act('Archive'))).toBe('not_found')
  })

  it('takes several actions in order, all of them or none', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const id = await world.built(call)
    const contractModelConfigAction = { config: config('sample') }
    const refusal = await refused(
      world.reports.act({ id, archiveAction: { event: 'Unarchive' }, contractModelConfigAction }, call),
    )
    expect(refusal).toBe('conflict')
    const deletion = { deleteAction: { event: 'Delete' as const } }
    expect(await refused(world.reports.act({ id, ...deletion, contractModelConfigAction }, call))).toBe(
      'conflict',
    )
    expect((await world.reports.read(id, call)).report).toMatchObject({
      state: 'active',
      contractModelConfig: null,
    })
    const both = await world.reports.act(
      { id, archiveAction: { event: 'Archive' }, contractModelConfigAction },
      call,
    )
    expect(both.report).toMatchObject({ state: 'archived', contractModelConfig: { tabType: 'sample' } })
  })

  it('lets the second of two editors know that the first was faster', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const id = await world.built(call)
    const { etag } = await world.reports.read(id, call)
    const save = (tab: 'percentile' | 'sample', ifMatch?: string) =>
      world.reports.act({ id, contractModelConfigAction: { config: config(tab) } }, { ...call, ifMatch })
    const both = await Promise.allSettled([save('percentile', etag), save('sample', etag)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await refused(save('sample', etag))).toBe('precondition_failed')
    expect(await refused(save('sample', '"nonsense"'))).toBe('precondition_failed')
    expect(await refused(save('sample'))).toBe('precondition_failed')
    const now = await world.reports.read(id, call)
    expect(now.etag).not.toBe(etag)
    const whichever = await save('percentile', '*')
    expect(await refused(save('sample', now.etag))).toBe('precondition_failed')
    const saved = await save('sample', whichever.etag)
    expect(saved.report.contractModelConfig).toMatchObject({ tabType: 'sample', baselineBenchmark: 'p75' })
    expect(await refused(world.reports.rename({ id, name: 'Late' }, { ...call, ifMatch: now.etag }))).toBe(
      'precondition_failed',
    )
    expect(
      (await world.reports.rename({ id, name: 'In time' }, { ...call, ifMatch: saved.etag })).report.name,
    ).toBe('In time')
  })

  it('is nobody else’s: another organisation finds nothing at its address', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const id = await world.built(call)
    const other = await world.caller()
    const base = { id, unit: 'dollars' as const }
    const attempts = [
      world.reports.read(id, other),
      world.reports.rename({ id, name }, other),
      world.reports.act({ id, deleteAction: { event: 'Delete' } }, other),
      world.reports.refresh(id, other),
      world.reports.rows({ id, ...page }, other),
      world.reports.export({ id, format: 'csv', rows: 'all' }, other),
      world.reports.sample({ id, size: 1 }, other),
      world.reports.chart(
        { ...base, dimension: 'payer', measure: 'negotiated_rate', groupsMost: 1, bins: 1 },
        other,
      ),
      world.reports.pivot(
        { ...base, rows: [], columns: [], aggregation: 'avg_rate', measure: 'negotiated_rate' },
        other,
      ),
      world.reports.percentiles({ ...base, groupBy: [], percentiles: [], measure: 'negotiated_rate' }, other),
      world.reports.rateChange({ ...base, groupBy: [], aggregation: 'avg', sort: 'key' }, other),
      world.reports.weightedContract(base, other),
      world.reports.dummyClaims({ ...base, claims: 1, shown: 0 }, other),
      world.reports.modelContract({ ...base, rowsBy: 'code', percentiles: [] }, other),
    ]
    // All at once: one that fails while another is waited for would count as nobody's.
    const told = await Promise.all(attempts.map((attempt) => refused(attempt)))
    expect(told).toEqual(attempts.map(() => 'not_found'))
    expect((await world.reports.list({ state: 'active', limit: 50 }, other)).reports).toEqual([])
    const { nextCursor } = await world.reports.rows({ id, ...page }, call)
    const theirs = await world.built(other)
    const stolen = { rateAggregation: 'none' as const, pagination: { pageSize: 1, cursor: nextCursor! } }
    expect(await refused(world.reports.rows({ id: theirs, ...stolen }, other))).toBe('invalid_cursor')
  })

  it('keeps its rows while newer ones are made, then goes over to them', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const query = { ...worldQuery, yearMonths: undefined }
    const id = await world.built(call, query)
    const before = (await world.reports.read(id, call)).report
    expect(before.sourceMonths).toEqual(['202605'])
    const { nextCursor } = await world.reports.rows({ id, ...page }, call)
    const newer = worldFiles
      .filter(({ month }) => month === 202605)
      .map((file) => ({ ...file, month: 202606, digest: `${file.digest}-next` }))
    await publishBuilds(world.store.folder, await buildFiles(world.store.folder, newer))
    await world.worker.stop()
    await new Promise((resume) => setTimeout(resume, 1_100))
    const queued = await world.reports.refresh(id, call)
    expect(queued).toMatchObject({ status: 'ready', sourceMonths: ['202605'], refresh: { status: 'queued' } })
    expect(await refused(world.reports.refresh(id, call))).toBe('conflict')
    expect((await world.reports.rows({ id, ...page }, call)).data).toHaveLength(1)
    world.worker.start()
    const after = await untilBuilt(world.reports, id, call)
    expect(after).toMatchObject({
      status: 'ready',
      refresh: null,
      sourceMonths: ['202606'],
      rowCount: before.rowCount,
    })
    expect(after.snapshot).not.toBe(before.snapshot)
    const stale = { rateAggregation: 'none' as const, pagination: { pageSize: 1, cursor: nextCursor! } }
    expect(await refused(world.reports.rows({ id, ...stale }, call))).toBe('invalid_cursor')
    await world.reports.sweep()
    expect(readdirSync(join(world.folder, id))).toHaveLength(1)
  })

  it('says why it cannot be made, and is made when asked again', async () => {
    const world = await freshWorld({ rowsMost: 10 })
    const call = await world.caller()
    const { id } = await world.reports.create({ name, query: worldQuery }, call)
    const failed = await untilBuilt(world.reports, id, call)
    expect(failed).toMatchObject({ status: 'failed', rowCount: null })
    expect(failed.error).toMatch(/^The report would have \d+ rows; this server keeps at most 10\./)
    expect(await refused(world.reports.rows({ id, ...page }, call))).toBe('report_not_ready')
    expect((await world.reports.estimate({ query: worldQuery }, call)).fits).toBe(false)
    expect((await world.reports.refresh(id, call)).status).toBe('queued')
    expect((await untilBuilt(world.reports, id, call)).status).toBe('failed')
    expect(readdirSync(join(world.folder, id))).toEqual([])
  })

  it('leaves no files behind when it is deleted, also while it is being made', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    const id = await world.built(call)
    await world.worker.stop()
    const unbuilt = await world.reports.create({ name, query: worldQuery }, call)
    for (const gone of [id, unbuilt.id])
      await world.reports.act({ id: gone, deleteAction: { event: 'Delete' } }, call)
    world.worker.start()
    await world.reports.sweep()
    expect([id, unbuilt.id].map((gone) => existsSync(join(world.folder, gone)))).toEqual([false, false])
    const jobs = await world.records.db
      .selectFrom('jobs')
      .select('status')
      .where('subject', '=', unbuilt.id)
      .execute()
    expect(jobs).toEqual([{ status: 'cancelled' }])
  })

  it('stands in a list that pages walk through once, newest first, found by a part of its name', async () => {
    const world = await freshWorld()
    const call = await world.caller()
    await world.worker.stop()
    const made: string[] = []
    for (let at = 0; at < 7; at++)
      made.push((await world.reports.create({ name: `Report ${at}% of_it`, query: worldQuery }, call)).id)
    const walked: string[] = []
    let cursor: string | undefined
    do {
      const { reports, nextCursor } = await world.reports.list(
        { state: 'active', limit: 3, ...(cursor && { cursor }) },
        call,
      )
      walked.push(...reports.map(({ id }) => id))
      cursor = nextCursor ?? undefined
    } while (cursor)
    expect([...walked].sort()).toEqual([...made].sort())
    const search = async (text: string) =>
      (await world.reports.list({ state: 'active', limit: 50, search: text }, call)).reports.length
    expect([await search('REPORT 3% OF'), await search('3%'), await search('_'), await search('%x')]).toEqual(
      [1, 1, 7, 0],
    )
  })
})
