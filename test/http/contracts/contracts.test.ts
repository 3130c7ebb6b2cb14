import { expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/api-keys.ts'
import type { EditError } from '../../../src/operations/contract-edits.ts'
import type { Contract } from '../../../src/operations/contracts.ts'
import { bytesOf } from '../../support/contract-files.ts'
import { newCaller } from '../../support/doors.ts'
import { testServer } from '../../support/service.ts'

const words = [
  'PROVIDER AGREEMENT',
  'This Agreement is made between Aetna Health Inc., a Texas corporation ("Plan"), and Cedar Valley Clinic, P.A. ("Provider"), effective January 1, 2024. Provider NPI: 1234567893.',
  '5.1 Termination Without Cause. Either party may terminate this Agreement on ninety (90) days written notice.',
  '6.1 Rates. Plan shall pay 125% of the current Medicare fee for covered services.',
]

/** A server that reads contracts, with two organisations. */
async function open() {
  const { app, service } = await testServer({ env: { RATEBOOK_RATE_BURST: '1000' } })
  const ours = await newCaller(service)
  const others = await newCaller(service)
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, key = ours.apiKey) =>
    app.inject({
      method,
      url: `/api/v1/contracts${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  const upload = async (bytes: Uint8Array, fileName = 'contract.pdf') => {
    const form = new FormData()
    form.set('name', 'Aetna 2024')
    form.set('file', new Blob([Buffer.from(bytes)]), fileName)
    const sent = new Response(form)
    return app.inject({
      method: 'POST',
      url: '/api/v1/contracts',
      headers: { authorization: `Bearer ${ours.apiKey}`, 'content-type': sent.headers.get('content-type')! },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
  }
  const settled = async (id: string): Promise<Contract> => {
    for (;;) {
      const contract: Contract = (await ask('GET', `/${id}`)).json()
      if (contract.status === 'ready' || contract.status === 'failed') return contract
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return { app, service, ours, others, ask, upload, settled }
}

it('reads an uploaded document, and takes corrections to what it says', async () => {
  const { ask, upload, settled, others } = await open()
  const made = await upload(await bytesOf('pdf', words))
  expect(made.statusCode).toBe(202)
  const { id }: Contract = made.json()
  const contract = await settled(id)
  expect(contract).toMatchObject({ name: 'Aetna 2024', status: 'ready', pages: 1, revision: 0, error: null })

  const found = (await ask('GET', `/${id}/entities`)).json()
  expect(found.resolvedEntities.parties.payers).toMatchObject([
    { name: 'Aetna Health Inc.', payerpricePayer: 'Aetna' },
  ])
  expect(found.resolvedEntities.pricingTerms).toMatchObject([
    { termType: 'percent_of_medicare', percent: 125 },
  ])
  const { pages } = (await ask('GET', `/${id}/text`)).json()
  for (const { page, start, end, text } of found.evidence)
    expect(pages[page - 1].text.slice(start, end)).toBe(text)

  const operations = [{ operation: 'set', entityId: 'provider-1', fieldPath: 'name', value: 'Cedar Valley' }]
  const edit = { requestId: 'one', baseRevision: 0, operations }
  const first = await ask('POST', `/${id}/edits`, edit)
  expect(first.statusCode).toBe(200)
  expect(first.json()).toMatchObject({ id, revision: 1 })
  expect((await ask('POST', `/${id}/edits`, edit)).json()).toEqual(first.json())

  const refused = async (body: unknown, status: number, code: EditError['code'], operationIndex?: number) => {
    const answer = await ask('POST', `/${id}/edits`, body)
    expect(answer.json()).toEqual({
      code,
      message: expect.any(String),
      ...(operationIndex !== undefined && { operationIndex }),
    })
    expect(answer.statusCode).toBe(status)
  }
  await refused({ ...edit, operations: [{ ...operations[0], value: 'Else' }] }, 409, 'request_id_reused')
  await refused({ ...edit, requestId: 'two' }, 409, 'stale_revision')
  await refused({ ...edit, operations: [] }, 400, 'invalid_request')
  const wrong = (operation: object) => ({
    requestId: 'bad',
    baseRevision: 1,
    operations: [operations[0], operation],
  })
  await refused(
    wrong({ operation: 'set', entityId: 'nobody', fieldPath: 'name', value: 'x' }),
    404,
    'entity_not_found',
    1,
  )
  await refused(
    wrong({ operation: 'set', entityId: 'pricing-1', fieldPath: 'value', value: 'x' }),
    422,
    'pricing_not_editable',
    1,
  )

  const back = await ask('POST', `/${id}/revert`, { requestId: 'three', baseRevision: 1, revision: 0 })
  expect(back.json()).toEqual({ id, revision: 2, resolvedEntities: found.resolvedEntities })
  await refused(edit, 409, 'edit_already_applied')
  const { revisions } = (await ask('GET', `/${id}/revisions`)).json()
  expect(revisions).toMatchObject([
    { revision: 2, kind: 'revert', revertedTo: 0, by: 'A key' },
    { revision: 1, kind: 'edit', operations },
    { revision: 0, kind: 'extraction', by: null },
  ])
  expect((await ask('GET', `/${id}/revisions/1`)).json().resolvedEntities.parties.providers[0].name).toBe(
    'Cedar Valley',
  )

  const document = await ask('GET', `/${id}/document`)
  expect(document.headers).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringMatching(/^attachment/),
  })
  expect(document.headers['content-security-policy']).toContain('sandbox')

  // Nothing of ours is there for another organisation.
  const paths = ['', '/entities', '/text', '/document', '/revisions', '/revisions/0']
  for (const path of paths)
    expect((await ask('GET', `/${id}${path}`, undefined, others.apiKey)).statusCode).toBe(404)
  expect((await ask('GET', '', undefined, others.apiKey)).json().contracts).toEqual([])
  for (const [path, body] of [
    ['edits', { ...edit, baseRevision: 2 }],
    ['revert', { requestId: 'r', baseRevision: 2, revision: 0 }],
  ] as const)
    expect((await ask('POST', `/${id}/${path}`, body, others.apiKey)).json()).toMatchObject({
      code: 'entity_not_found',
    })
  expect((await ask('DELETE', `/${id}`, undefined, others.apiKey)).statusCode).toBe(404)

  expect((await ask('GET', '')).json().contracts).toHaveLength(1)
  expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
  expect((await ask('GET', `/${id}`)).statusCode).toBe(404)
  expect((await ask('GET', '')).json().contracts).toEqual([])
}, 120_000)

it('takes text, and says what is wrong with what it cannot take or read', async () => {
  const { ask, upload, settled, service, ours } = await open()
  const text = await ask('POST', '', { name: 'As text', text: words.join('\n\n') })
  expect(text.statusCode).toBe(202)
  expect((await ask('POST', '', { name: 'As text' })).statusCode).toBe(400)
  expect((await upload(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]))).statusCode).toBe(415)
  expect((await upload(Buffer.alloc(25 * 1024 * 1024 + 1, 'a'))).statusCode).toBe(413)

  const waiting: Contract = (await upload(Buffer.from('%PDF-1.7 nothing'))).json()
  const failed = await settled(waiting.id)
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'extraction_unavailable' } })
  const operations = [{ operation: 'remove_entity', entityId: 'x', fieldPath: '' }]
  const edit = await ask('POST', `/${failed.id}/edits`, { requestId: 'a', baseRevision: 0, operations })
  expect([edit.statusCode, edit.json().code]).toEqual([503, 'extraction_unavailable'])

  await service.records.db
    .updateTable('contracts')
    .set({ status: 'extracting' })
    .where('id', '=', failed.id)
    .execute()
  const early = await ask('POST', `/${failed.id}/edits`, { requestId: 'a', baseRevision: 0, operations })
  expect([early.statusCode, early.json().code]).toEqual([409, 'extraction_in_progress'])

  const { userId } = await member(service.records, ours.organization.id)
  const limits = { groups: null, tools: null, expiresAt: null }
  const key = await createKey(service.records, ours.organization.id, 'Member', {
    limits,
    now: 1,
    createdBy: userId,
  })
  const denied = await ask(
    'POST',
    `/${failed.id}/edits`,
    { requestId: 'a', baseRevision: 0, operations },
    key.apiKey,
  )
  expect([denied.statusCode, denied.json()]).toEqual([
    403,
    { code: 'admin_required', message: expect.any(String) },
  ])
  expect((await ask('GET', '', undefined, key.apiKey)).statusCode).toBe(200)
  expect((await ask('DELETE', `/${failed.id}`, undefined, key.apiKey)).statusCode).toBe(403)
}, 120_000)

async function member(
  records: Awaited<ReturnType<typeof open>>['service']['records'],
  organizationId: string,
) {
  await records.db
    .insertInto('users')
    .values({
      id: 'member',
      email: 'member@example.com',
      password_hash: '',
      email_verified_at: 1,
      created_at: 1,
    })
    .execute()
  await records.db
    .insertInto('memberships')
    .values({ user_id: 'member', organization_id: organizationId, role: 'member', created_at: 1 })
    .execute()
  return { userId: 'member' }
}
