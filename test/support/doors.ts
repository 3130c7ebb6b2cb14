import { expect, it } from 'vitest'
import { createKey } from '../../src/accounts/api-keys.ts'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { failures, type FailureCode, type Problem } from '../../src/errors.ts'
import { type OperationName, operations } from '../../src/operations/index.ts'
import { hasBody, type Operation } from '../../src/operations/operation.ts'
import type { Answers, Service } from '../../src/service.ts'
import { call, testServer, type TestServiceOptions } from './service.ts'

/** Every operation answered with the response its documentation shows. */
export const exampleAnswers = Object.fromEntries(
  Object.entries(operations).map(([name, { example }]) => [name, async () => example.response]),
) as Answers

/** The operations that take JSON and answer with it; those with files have tests of their own. */
export const operationNames = (Object.entries<Operation>(operations) as [OperationName, Operation][])
  .filter(([, { upload, download }]) => !upload && !download)
  .map(([name]) => name)

/** An operation's address, with its example in the path and what is sent in the query. */
export function urlOf(operation: Operation, sent: unknown = operation.example.request): string {
  const params = (operation.example.params ?? {}) as Record<string, string>
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  const query = hasBody(operation)
    ? ''
    : new URLSearchParams((sent ?? {}) as Record<string, string>).toString()
  return query === '' ? path : `${path}?${query}`
}

/** An organisation with a key and credits. Nobody logs in to it, so that no password need be hashed. */
export async function newCaller(service: Service, credits = 5, groups: readonly string[] | null = null) {
  const now = service.now()
  const organization = await createOrganization(service.records, 'Sample Clinic', credits, 'test', now)
  const limits = { groups, tools: null, expiresAt: null }
  return { organization, ...(await createKey(service.records, organization.id, 'A key', { limits, now })) }
}

/** A server where every operation answers its example, and a caller who may ask. */
export async function openDoor({ credits = 5, ...options }: TestServiceOptions & { credits?: number } = {}) {
  const { app, service } = await testServer({
    ...options,
    answers: options.answers ?? exampleAnswers,
  })
  const caller = await newCaller(service, credits)
  const ask = (
    name: OperationName,
    body: unknown = (operations[name] as Operation).example.request,
    apiKey: string | undefined = caller.apiKey,
  ) => {
    const operation: Operation = operations[name]
    return call(app, apiKey, operation.method, urlOf(operation, body), hasBody(operation) ? body : undefined)
  }
  const creditsLeft = async () => {
    const { credits: left } = await service.records.db
      .selectFrom('organizations')
      .select('credits')
      .where('id', '=', caller.organization.id)
      .executeTakeFirstOrThrow()
    return left
  }
  const counted = () =>
    service.records.db.selectFrom('usage').select(['operation', 'status', 'credits', 'key_id']).execute()
  return { app, service, ...caller, ask, creditsLeft, counted }
}

export type Door = Awaited<ReturnType<typeof openDoor>>
type Answer = Awaited<ReturnType<Door['ask']>>

/** A failure as every door tells it: problem+json that names itself, the request's id in header and body. */
export function expectProblem(answer: Answer, code: FailureCode): Record<string, unknown> {
  const body: Record<string, unknown> = answer.json()
  expect(body).toMatchObject({
    type: `urn:ratebook:problem:${code}`,
    title: failures[code].title,
    status: failures[code].status,
    code,
    requestId: answer.headers['x-request-id'],
  })
  expect(body['detail']).toEqual(expect.any(String))
  expect(answer.statusCode).toBe(failures[code].status)
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  return body
}

/** What the room behind an operation is asked, for each body a client sends. */
export async function heard(name: OperationName, bodies: readonly unknown[]): Promise<unknown[]> {
  const requests: unknown[] = []
  const answers = {
    [name]: async (request: unknown) => {
      requests.push(request)
      return operations[name].example.response
    },
  } as Answers
  const door = await openDoor({ answers, credits: bodies.length })
  for (const body of bodies) {
    const answer = await door.ask(name, body)
    expect(answer.json()).toEqual(operations[name].example.response)
  }
  return requests
}

/** One wrong request: what is wrong with it, the body, and the message for each path. */
export type Wrong = readonly [what: string, body: unknown, problems: Readonly<Record<string, string>>]

/** 400: each wrong request is told every problem by its path, and costs nothing. */
export function refuses(name: OperationName, wrongs: readonly Wrong[]): void {
  it(`tells every problem by its path: ${wrongs.map(([what]) => what).join('; ')}`, async () => {
    const door = await openDoor({ env: { RATEBOOK_RATE_BURST: '1000' } })
    for (const [what, body, problems] of wrongs) {
      const answer = await door.ask(name, body)
      const { errors } = expectProblem(answer, 'invalid_request') as { errors: Problem[] }
      const told = Object.fromEntries(errors.map(({ path, message }) => [path, message]))
      expect({ what, told }).toEqual({ what, told: problems })
      expect(answer.headers['x-credits-charged']).toBe('0')
    }
    expect(await door.creditsLeft()).toBe(5)
  })
}
