import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/api-keys.ts'
import { Random } from '../../../src/demo/random.ts'
import { editErrorCodes, type EditAnswer, type EditError } from '../../../src/operations/contract-edits.ts'
import type { Contract, ContractRevision } from '../../../src/operations/contracts.ts'
import { operationList } from '../../../src/operations/index.ts'
import { openContracts } from '../../support/contract-door.ts'

const set = (value: unknown, entityId = 'provider-1', fieldPath = 'name') => ({
  operation: 'set',
  entityId,
  fieldPath,
  value,
})
const append = (value: object, fieldPath = 'contractScope.states') => ({
  operation: 'append_entity',
  entityId: 'root',
  fieldPath,
  value,
})

/** The status of each code, as the reference tells it. */
const statuses: Record<EditError['code'], number> = {
  admin_required: 403,
  edit_already_applied: 409,
  entity_id_conflict: 409,
  entity_not_found: 404,
  extraction_in_progress: 409,
  extraction_unavailable: 503,
  invalid_operation: 422,
  invalid_request: 400,
  invalid_value: 422,
  pricing_not_editable: 422,
  request_id_reused: 409,
  required_value: 422,
  stale_revision: 409,
  unsupported_target: 422,
}

it('tells every one of the 14 codes with its status, and in exactly its form', async () => {
  const { ask, made, memberKey, service } = await openContracts()
  const id = await made()
  const seen = new Set<string>()
  const refused = async (code: EditError['code'], body: unknown, { key, index, of = id }: Refusal = {}) => {
    const answer = await ask('POST', `/${of}/edits`, body, key)
    expect(answer.json()).toEqual({
      code,
      message: expect.stringMatching(/\S/),
      ...(index !== undefined && { operationIndex: index }),
    })
    expect([code, answer.statusCode]).toEqual([code, statuses[code]])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    seen.add(code)
  }
  const first = { requestId: 'first', baseRevision: 0, operations: [set('Cedar Valley')] }
  const batch = (...operations: object[]) => ({ requestId: randomUUID(), baseRevision: 0, operations })
  /** The second of two operations is the one that is wrong. */
  const second = (code: EditError['code'], operation: object) =>
    refused(code, batch(set('Cedar Valley'), operation), { index: 1 })

  await refused('admin_required', first, { key: await memberKey() })
  await refused('invalid_request', batch())
  await refused('invalid_request', { ...first, more: 1 })
  await refused('invalid_request', 'no object')
  await refused('invalid_request', { ...first, operations: Array.from({ length: 201 }, () => set('x')) })
  await refused('entity_not_found', first, { of: randomUUID() })
  await second('entity_not_found', set('x', 'nobody'))
  await second('invalid_operation', { ...set('x'), operation: 'replace' })
  await second('invalid_operation', { operation: 'remove_entity', entityId: 'root', fieldPath: '' })
  await second('unsupported_target', set('x', 'provider-1', 'category'))
  await second('required_value', { operation: 'set', entityId: 'provider-1', fieldPath: 'name' })
  await second('required_value', { operation: 'delete', entityId: 'provider-1', fieldPath: 'name' })
  await second('invalid_value', set({ not: 'a text' }))
  await second('invalid_value', append({ id: 's', value: 'Texas', normalizedValue: 'Texas' }))
  await second('pricing_not_editable', set('x', 'pricing-1', 'value'))
  await second('entity_id_conflict', append({ id: 'pricing-1', value: 'Texas' }))
  expect((await ask('GET', `/${id}`)).json()).toMatchObject({ revision: 0 })

  expect((await ask('POST', `/${id}/edits`, first)).statusCode).toBe(200)
  await refused('request_id_reused', { ...first, operations: [set('Other')] })
  await refused('stale_revision', batch(set('Other')))
  expect((await ask('POST', `/${id}/edits`, { ...batch(set('Other')), baseRevision: 1 })).statusCode).toBe(
    200,
  )
  await refused('edit_already_applied', first)

  const become = (status: Contract['status']) =>
    service.records.db.updateTable('contracts').set({ status }).where('id', '=', id).execute()
  for (const status of ['queued', 'extracting'] as const) {
    await become(status)
    await refused('extraction_in_progress', batch(set('x')))
  }
  await become('failed')
  await refused('extraction_unavailable', batch(set('x')))
  expect([...seen].toSorted()).toEqual([...editErrorCodes].toSorted())
}, 120_000)

interface Refusal {
  readonly key?: string
  readonly index?: number
  readonly of?: string
}

it('shows nothing of one organisation to another, by any operation on contracts', async () => {
  const { app, ask, made, others, ours } = await openContracts()
  const id = await made()
  const { evidence } = (await ask('GET', `/${id}/entities`)).json()
  const [{ page, start, end }] = evidence
  /** What would do something if it were theirs. */
  const sent: Record<string, unknown> = {
    createContract: { name: 'Theirs', text: 'Other words' },
    quoteContract: { page, start, end },
    editContract: { requestId: 'theirs', baseRevision: 0, operations: [set('Taken over')] },
    revertContract: { requestId: 'theirs', baseRevision: 0, revision: 0 },
  }
  const all = operationList.filter(({ group }) => group === 'Contracts')
  expect(all.length).toBeGreaterThan(10)
  expect(Object.keys(sent).toSorted()).toEqual(
    all
      .filter(({ method }) => method === 'POST')
      .map(({ name }) => name)
      .toSorted(),
  )
  const before = (await ask('GET', `/${id}/entities`)).body
  const call = (operation: (typeof all)[number], of: string, key: string) => {
    const body = sent[operation.name]
    return app.inject({
      method: operation.method,
      url: operation.path.replace('{id}', of).replace('{revision}', '0'),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  }
  const isAboutOne = ({ path }: (typeof all)[number]) => path.includes('{id}')
  for (const operation of all.filter((one) => !isAboutOne(one))) {
    const answer = await call(operation, id, others.apiKey)
    expect([operation.name, answer.statusCode < 300]).toEqual([operation.name, true])
    expect(answer.body).not.toContain(id)
    expect(answer.body).not.toContain('Aetna')
  }
  for (const operation of all.filter(isAboutOne)) {
    const answer = await call(operation, id, others.apiKey)
    // One that exists and one that does not are the same to a stranger, in status, body and headers.
    const none = await call(operation, randomUUID(), others.apiKey)
    expect([operation.name, answer.statusCode]).toEqual([operation.name, 404])
    expect(Object.keys(answer.headers).toSorted()).toEqual(Object.keys(none.headers).toSorted())
    const told = ({ requestId: _, ...body }: Record<string, unknown>) => body
    expect({ name: operation.name, ...told(answer.json()) }).toEqual({
      name: operation.name,
      ...told(none.json()),
    })
  }
  expect((await ask('GET', `/${id}/entities`)).body).toBe(before)
  expect((await ask('GET', '', undefined, others.apiKey)).json().contracts).toMatchObject([
    { name: 'Theirs' },
  ])
  expect((await ask('GET', '')).json().contracts).toMatchObject([{ id, createdBy: ours.key.name }])
  expect((await ask('GET', '?search=Theirs')).json().contracts).toEqual([])
}, 120_000)

it('lets exactly one of many editors of a revision win, and numbers revisions without gaps', async () => {
  const { ask, made, service, ours } = await openContracts()
  const id = await made()
  const editors = await Promise.all(
    ['Ann', 'Ben', 'Cleo', 'Dan'].map(async (name) => {
      const limits = { groups: null, tools: null, expiresAt: null }
      const { apiKey } = await createKey(service.records, ours.organization.id, name, { limits, now: 1 })
      return { name, apiKey, random: new Random(name) }
    }),
  )
  const rounds = 12
  const wins: { by: string; revision: number; value: string }[] = []
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(
      editors.map(async ({ name, apiKey, random }) => {
        const value = `${name} in round ${round}, ${random.below(1_000)}`
        const isRevert = round > 0 && random.below(4) === 0
        const body = isRevert
          ? { requestId: `${name}-${round}`, baseRevision: round, revision: random.below(round + 1) }
          : { requestId: `${name}-${round}`, baseRevision: round, operations: [set(value)] }
        const path = `/${id}/${isRevert ? 'revert' : 'edits'}`
        // Some are sent twice at once, as an impatient client does: both get the one answer.
        const times = random.below(3) === 0 ? 2 : 1
        const all = await Promise.all(Array.from({ length: times }, () => ask('POST', path, body, apiKey)))
        for (const other of all) expect(other.json()).toEqual(all[0]!.json())
        const [answer] = all
        // And once more when the answer is there.
        expect((await ask('POST', path, body, apiKey)).json()).toEqual(answer!.json())
        const { code, revision, resolvedEntities } = answer!.json() as EditAnswer & Partial<EditError>
        expect(code ?? 'won').toMatch(/^(won|stale_revision)$/)
        if (code === undefined)
          wins.push({ by: name, revision, value: resolvedEntities.parties.providers[0]!.name })
        return answer!.statusCode
      }),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    expect(answers.filter((status) => status === 409)).toHaveLength(editors.length - 1)
  }
  const { revisions } = (await ask('GET', `/${id}/revisions`)).json() as { revisions: ContractRevision[] }
  expect(revisions.map(({ revision }) => revision)).toEqual(
    Array.from({ length: rounds + 1 }, (_, at) => rounds - at),
  )
  for (const { by, revision, value } of wins) {
    expect(revisions.find((one) => one.revision === revision)).toMatchObject({ by })
    const { resolvedEntities } = (await ask('GET', `/${id}/revisions/${revision}`)).json()
    expect(resolvedEntities.parties.providers[0].name).toBe(value)
  }
  expect((await ask('GET', `/${id}/entities`)).json().resolvedEntities.parties.providers[0].name).toBe(
    wins.at(-1)!.value,
  )
}, 120_000)

it('keeps every revision, reverts by a new one, and deletes softly', async () => {
  const { ask, made, service, memberKey, kept } = await openContracts()
  const id = await made()
  const edit = async (baseRevision: number, ...operations: object[]) =>
    (await ask('POST', `/${id}/edits`, { requestId: `r${baseRevision}`, baseRevision, operations })).json()
  await edit(0, set('First'), set('2023-12-01', 'root', 'contractTerms.signedDate'))
  await edit(1, { operation: 'remove_entity', entityId: 'provider-1', fieldPath: '' })
  const back = await ask('POST', `/${id}/revert`, { requestId: 'back', baseRevision: 2, revision: 1 })
  expect(back.json()).toMatchObject({ revision: 3 })
  const member = await memberKey()
  const read = async (revision: number) =>
    (await ask('GET', `/${id}/revisions/${revision}`, undefined, member)).json()
  const [zero, one, two, three] = [await read(0), await read(1), await read(2), await read(3)]
  expect(zero.resolvedEntities.parties.providers[0].name).not.toBe('First')
  expect(one.resolvedEntities).toMatchObject({
    parties: { providers: [{ name: 'First' }] },
    contractTerms: { signedDate: '2023-12-01' },
  })
  expect(two.resolvedEntities.parties.providers).toEqual([])
  expect(three).toMatchObject({ kind: 'revert', revertedTo: 1, by: 'A key', operations: [] })
  expect(three.resolvedEntities).toEqual(one.resolvedEntities)
  expect((await ask('GET', `/${id}/revisions/4`)).statusCode).toBe(404)
  const gone = await ask('POST', `/${id}/revert`, { requestId: 'gone', baseRevision: 3, revision: 9 })
  expect([gone.statusCode, gone.json().code]).toEqual([404, 'entity_not_found'])
  const page = (await ask('GET', `/${id}/revisions?limit=2`)).json()
  expect([page.revisions.length, page.nextBefore]).toEqual([2, 2])
  const rest = (await ask('GET', `/${id}/revisions?limit=2&before=2`)).json()
  expect([rest.revisions.map((one: ContractRevision) => one.revision), rest.nextBefore]).toEqual([
    [1, 0],
    null,
  ])

  const files = kept()
  expect((await ask('DELETE', `/${id}`, undefined, member)).statusCode).toBe(403)
  expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
  for (const path of ['', '/entities', '/text', '/document', '/revisions', '/revisions/1'])
    expect([path, (await ask('GET', `/${id}${path}`)).statusCode]).toEqual([path, 404])
  expect(await edit(3, set('Late'))).toMatchObject({ code: 'entity_not_found' })
  expect((await ask('DELETE', `/${id}`)).statusCode).toBe(404)
  // The operator still has all of it.
  const rows = await service.records.db
    .selectFrom('contract_revisions')
    .select('revision')
    .where('contract_id', '=', id)
    .execute()
  expect(rows).toHaveLength(4)
  expect(kept()).toEqual(files)
}, 120_000)

it('makes evidence of words that a person quotes, for what they add', async () => {
  const { ask, made, memberKey } = await openContracts()
  const id = await made()
  const { pages } = (await ask('GET', `/${id}/text`)).json()
  const words = 'ninety (90) days written notice'
  const start = pages[0].text.indexOf(words)
  const range = { page: 1, start, end: start + words.length }
  const answer = await ask('POST', `/${id}/evidence`, range)
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { id: `quote-1-${start}-${range.end}`, ...range, text: words },
  ])
  expect((await ask('POST', `/${id}/evidence`, range)).json()).toEqual(answer.json())
  const clause = {
    id: 'added-1',
    clauseType: 'notice_period',
    category: 'termination',
    value: words,
    evidenceIds: [answer.json().id],
  }
  const operations = [append(clause, 'contractTerms.clauses')]
  const edit = await ask('POST', `/${id}/edits`, { requestId: 'a', baseRevision: 0, operations })
  expect(edit.json()).toMatchObject({ revision: 1 })
  const { evidence } = (await ask('GET', `/${id}/entities`)).json()
  expect(evidence.filter((one: { id: string }) => one.id === answer.json().id)).toEqual([answer.json()])

  const length: number = pages[0].text.length
  for (const wrong of [
    { page: 2, start: 0, end: 1 },
    { page: 1, start: 5, end: 5 },
    { page: 1, start: length - 1, end: length + 1 },
    { page: 1, start: -1, end: 1 },
  ])
    expect((await ask('POST', `/${id}/evidence`, wrong)).statusCode).toBe(400)
  expect((await ask('POST', `/${id}/evidence`, range, await memberKey())).statusCode).toBe(403)
}, 120_000)
