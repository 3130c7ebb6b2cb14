import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../src/accounts/api-keys.ts'
import type { Contract } from '../../src/operations/contracts.ts'
import { newCaller } from './doors.ts'
import { testServer, type TestServiceOptions } from './service.ts'

/** A contract with something of most kinds in it. */
export const sampleWords = [
  'PROVIDER AGREEMENT',
  'This Agreement is made between Aetna Health Inc., a Texas corporation ("Plan"), and Cedar Valley Clinic, P.A. ("Provider"), effective January 1, 2024. Provider NPI: 1234567893.',
  '5.1 Termination Without Cause. Either party may terminate this Agreement on ninety (90) days written notice.',
  '6.1 Rates. Plan shall pay 125% of the current Medicare fee for covered services.',
]

/** A server that reads contracts, with two organisations. */
export async function openContracts(options: TestServiceOptions = {}) {
  const { app, service } = await testServer({
    ...options,
    env: { RATEBOOK_RATE_BURST: '100000', ...options.env },
  })
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
  const sendForm = async (form: FormData) => {
    const sent = new Response(form)
    return app.inject({
      method: 'POST',
      url: '/api/v1/contracts',
      headers: { authorization: `Bearer ${ours.apiKey}`, 'content-type': sent.headers.get('content-type')! },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
  }
  const upload = (bytes: Uint8Array, fileName = 'contract.pdf') => sendForm(formOf(bytes, fileName))
  const settled = async (id: string): Promise<Contract> => {
    for (;;) {
      const contract: Contract = (await ask('GET', `/${id}`)).json()
      if (contract.status === 'ready' || contract.status === 'failed') return contract
      await sleep(50)
    }
  }
  /** A contract that has been read. */
  const made = async (): Promise<string> => {
    const { id }: Contract = (
      await ask('POST', '', { name: 'Aetna 2024', text: sampleWords.join('\n\n') })
    ).json()
    await settled(id)
    return id
  }
  /** A key of our organisation whose maker is a member and no admin. */
  const memberKey = async () => {
    const id = randomUUID()
    await service.records.db
      .insertInto('users')
      .values({ id, email: `${id}@example.com`, password_hash: '', email_verified_at: 1, created_at: 1 })
      .execute()
    await service.records.db
      .insertInto('memberships')
      .values({ user_id: id, organization_id: ours.organization.id, role: 'member', created_at: 1 })
      .execute()
    const limits = { groups: null, tools: null, expiresAt: null }
    const key = await createKey(service.records, ours.organization.id, 'Member', {
      limits,
      now: 1,
      createdBy: id,
    })
    return key.apiKey
  }
  const root = join(service.settings.RATEBOOK_DATA, 'contracts')
  /** Every file and folder that was kept, of whichever contract. */
  const kept = () => {
    try {
      return readdirSync(join(root, ours.organization.id), { recursive: true }) as string[]
    } catch {
      return []
    }
  }
  return { app, service, ours, others, ask, sendForm, upload, settled, made, memberKey, root, kept }
}

export function formOf(bytes: Uint8Array, fileName = 'contract.pdf'): FormData {
  const form = new FormData()
  form.set('name', 'Aetna 2024')
  form.set('file', new Blob([Buffer.from(bytes)]), fileName)
  return form
}
