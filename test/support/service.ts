import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { signUp } from '../../src/accounts/users.ts'
import { readSettings } from '../../src/config.ts'
import { buildServer } from '../../src/http/server.ts'
import {
  type Answers,
  openService,
  type Service,
  type ServiceOptions,
  type ToolAnswers,
} from '../../src/service.ts'

/** A clock that a test turns by hand. */
export class FakeClock {
  ms = Date.parse('2026-06-01T12:00:00Z')
  readonly now = () => this.ms
  advance(ms: number) {
    this.ms += ms
  }
}

/** The address of a PostgreSQL to run the same tests on; without it they run on SQLite. */
export const testDatabaseUrl = process.env['RATEBOOK_TEST_DATABASE_URL']

/** A place for a store that nobody else sees, removed when the test ends: a folder, and a schema where PostgreSQL is tested. */
export async function freshStore(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  if (!testDatabaseUrl) return { RATEBOOK_DATA: folder }
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  await runOnPostgres(`create schema ${schema}`)
  onTestFinished(() => runOnPostgres(`drop schema ${schema} cascade`))
  const url = new URL(testDatabaseUrl)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { RATEBOOK_DATA: folder, RATEBOOK_DATABASE_URL: url.href, RATEBOOK_DATABASE_POOL: '4' }
}

async function runOnPostgres(text: string): Promise<void> {
  const client = new Client({ connectionString: testDatabaseUrl })
  await client.connect()
  await client.query(text)
  await client.end()
}

export interface TestServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: FakeClock
  readonly answers?: Answers
  readonly toolAnswers?: ToolAnswers
  readonly log?: (text: string) => void
  readonly worker?: ServiceOptions['worker']
  readonly readLimits?: ServiceOptions['readLimits']
}

/** A service on fresh, real stores, closed when the test ends. */
export async function testService({
  env = {},
  clock,
  answers = {},
  toolAnswers = {},
  log = () => {},
  worker,
  readLimits,
}: TestServiceOptions = {}): Promise<Service> {
  const settings = readSettings({
    RATEBOOK_LOG_LEVEL: 'silent',
    RATEBOOK_DEMO: 'off',
    // A machine that is busy with other tests is no reason to refuse.
    RATEBOOK_MAX_EVENT_LOOP_DELAY_MS: '0',
    ...(await freshStore()),
    ...env,
  })
  const service = await openService(settings, {
    log,
    ...(clock && { now: clock.now }),
    ...(worker && { worker }),
    ...(readLimits && { readLimits }),
  })
  onTestFinished(() => service.close())
  return {
    ...service,
    answers: { ...service.answers, ...answers },
    toolAnswers: { ...service.toolAnswers, ...toolAnswers },
  }
}

/** The web door over a test service. `inject` it, or listen on port 0. */
export async function testServer(
  options: TestServiceOptions = {},
): Promise<{ app: FastifyInstance; service: Service }> {
  const service = await testService(options)
  const app = await buildServer(service)
  onTestFinished(() => app.close())
  return { app, service }
}

/** A signed-up organisation and its first key. */
export async function signedUp(
  service: Service,
  { email = `${randomUUID()}@example.org`, credits = 5 } = {},
) {
  return signUp(
    service.records,
    { email, password: 'a long password', organization: 'Sample Clinic' },
    credits,
    service.now(),
  )
}

/** A call with a key, as a client makes it. */
export function call(
  app: FastifyInstance,
  apiKey: string | undefined,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: unknown,
) {
  return app.inject({
    method,
    url,
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  } as InjectOptions)
}
