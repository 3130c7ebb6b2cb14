import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createKey } from '../../src/accounts/api-keys.ts'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { readSettings } from '../../src/config.ts'
import type { EditAnswer, EditRequest } from '../../src/operations/contract-edits.ts'
import type { Contract, ContractRevision } from '../../src/operations/contracts.ts'
import { openRecords } from '../../src/records/open.ts'
import { sampleWords } from './contract-door.ts'

export interface ContractKills {
  /** Where what is stored differs from what callers were told. */
  readonly errors: readonly string[]
  readonly uploads: number
  readonly edits: number
  /** Contracts that were not read yet when the server was killed. */
  readonly unread: number
}

/** One contract, and what its uploader and its editor were told. */
interface Told {
  readonly contract: Contract
  readonly edits: EditAnswer[]
  /** Sent, and not answered. */
  pending?: EditRequest
}

/** Kills a server while it reads and edits contracts, round after round, and compares what is there with what callers were told. */
export async function contractsUnderKills(
  store: Readonly<Record<string, string>>,
  rounds: number,
): Promise<ContractKills> {
  const env = {
    RATEBOOK_DEMO: 'off',
    RATEBOOK_RATE_BURST: '1000000',
    // A machine that is busy with other tests is no reason to refuse.
    RATEBOOK_MAX_EVENT_LOOP_DELAY_MS: '0',
    ...store,
  }
  const apiKey = await newKey(env)
  const errors: string[] = []
  const all: Told[] = []
  let unread = 0
  let server = await startServer(env, apiKey)
  try {
    for (let round = 1; round <= rounds; round++) {
      const { ask } = server
      const load = { running: true }
      const editors = all.slice(-3).map((told) => keepEditing(ask, told, load))
      const uploaders = [1, 2].map((number) =>
        keepUploading(ask, `Round ${round}, uploader ${number}`, all, load),
      )
      const work = Promise.all([...editors, ...uploaders])
      // Not before something was promised in this round; and not the same moment of the work each time.
      const before = { uploads: all.length, edits: editsOf(all) }
      const isUnderWay = () =>
        all.length > before.uploads && (editors.length === 0 || editsOf(all) > before.edits)
      await Promise.race([work, untilTrue(isUnderWay)])
      await sleep(Math.random() * 500)
      await server.kill()
      load.running = false
      await work
      server = await startServer(env, apiKey)
      for (const told of all) errors.push(...(await lost(server.ask, told, () => unread++)))
    }
  } finally {
    await server.kill()
  }
  return {
    errors,
    uploads: all.length,
    edits: editsOf(all),
    unread,
  }
}

const editsOf = (all: readonly Told[]) => all.reduce((sum, { edits }) => sum + edits.length, 0)

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

async function newKey(env: Readonly<Record<string, string>>): Promise<string> {
  const records = await openRecords(readSettings(env))
  const { id } = await createOrganization(records, 'Sample Clinic', 5, 'test', Date.now())
  const limits = { groups: null, tools: null, expiresAt: null }
  const { apiKey } = await createKey(records, id, 'A key', { limits, now: Date.now() })
  await records.close()
  return apiKey
}

type Ask = <Answer>(path: string, body?: unknown) => Promise<Answer>

async function startServer(
  env: Readonly<Record<string, string>>,
  apiKey: string,
): Promise<{ ask: Ask; kill(): Promise<void> }> {
  const server = fork(join(import.meta.dirname, 'contract-server.ts'), {
    env: { ...process.env, ...env },
    execArgv: [],
  })
  const gone = once(server, 'exit')
  const early = gone.then(([code]) => {
    throw new Error(`The server ended with ${code} before it listened.`)
  })
  const [{ url }] = (await Promise.race([once(server, 'message'), early])) as [{ url: string }]
  early.catch(() => {})
  return {
    async ask(path, body) {
      const answer = await fetch(`${url}/api/v1/contracts${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Refused(`${path}: ${answer.status} ${text}`)
      return (path.endsWith('/document') ? text : JSON.parse(text)) as never
    },
    async kill() {
      server.kill('SIGKILL')
      await gone
    },
  }
}

/** The server answered, and said no. */
class Refused extends Error {}

/** Uploads until the server is gone. A call that was not answered is nobody's promise. */
async function keepUploading(ask: Ask, name: string, all: Told[], load: { running: boolean }): Promise<void> {
  try {
    for (let number = 1; load.running && number <= 2; number++) {
      const text = [`${name}, contract ${number}`, ...sampleWords].join('\n\n')
      all.push({ contract: await ask<Contract>('', { name: `${name}, ${number}`, text }), edits: [] })
    }
  } catch (error) {
    if (error instanceof Refused) throw error
  }
}

/** Edits one contract until the server is gone. */
async function keepEditing(ask: Ask, told: Told, load: { running: boolean }): Promise<void> {
  const { id } = told.contract
  try {
    while (load.running) {
      const baseRevision = told.edits.at(-1)?.revision ?? 0
      const value = `Clinic ${baseRevision + 1} of ${id}`
      told.pending = {
        requestId: `request-${baseRevision}`,
        baseRevision,
        operations: [{ operation: 'set', entityId: 'provider-1', fieldPath: 'name', value }],
      }
      told.edits.push(await ask<EditAnswer>(`/${id}/edits`, told.pending))
      delete told.pending
    }
  } catch (error) {
    if (error instanceof Refused) throw error
  }
}

/** What is missing or different after a kill. */
async function lost(ask: Ask, told: Told, wasUnread: () => void): Promise<string[]> {
  const { id, name, sha256 } = told.contract
  const errors: string[] = []
  try {
    let now = await ask<Contract>(`/${id}`)
    if (now.status !== 'ready') wasUnread()
    for (let waits = 0; now.status !== 'ready' && now.status !== 'failed' && waits < 3_000; waits++) {
      await sleep(100)
      now = await ask<Contract>(`/${id}`)
    }
    if (now.status !== 'ready') errors.push(`${name} is ${now.status}: ${now.error?.message}`)
    const document = await ask<string>(`/${id}/document`)
    if (createHash('sha256').update(document).digest('hex') !== sha256)
      errors.push(`${name} has another document`)
    if (told.pending) {
      // Applied or not: asked again, it is applied once.
      told.edits.push(await ask<EditAnswer>(`/${id}/edits`, told.pending))
      delete told.pending
    }
    const { revisions } = await ask<{ revisions: ContractRevision[] }>(`/${id}/revisions?limit=200`)
    const numbers = revisions.map(({ revision }) => revision).toReversed()
    if (
      !isDeepStrictEqual(
        numbers.slice(-told.edits.length - 1),
        [0, ...told.edits.map(({ revision }) => revision)].slice(-200),
      )
    )
      errors.push(
        `${name} has the revisions ${numbers.join(', ')}, but ${told.edits.length} edits were acknowledged`,
      )
    for (const { revision, resolvedEntities } of told.edits.slice(-5)) {
      const kept = await ask<EditAnswer>(`/${id}/revisions/${revision}`)
      if (!isDeepStrictEqual(kept.resolvedEntities, resolvedEntities))
        errors.push(`${name}, revision ${revision} is not what was answered`)
    }
  } catch (error) {
    errors.push(`${name}: ${(error as Error).message}`)
  }
  return errors
}
