import { expect, it } from 'vitest'
import { readSettings } from '../../../src/config.ts'
import { buildServer } from '../../../src/http/server.ts'
import { openService } from '../../../src/service.ts'
import { expectProblem, openDoor } from '../../support/doors.ts'
import { freshStore } from '../../support/service.ts'

it('says that it runs and that it can serve, to anybody', async () => {
  const { app } = await openDoor()
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
})

it('is alive but not ready when its records are closed', async () => {
  const service = await openService(readSettings({ RATEBOOK_DEMO: 'off', ...(await freshStore()) }))
  const app = await buildServer(service)
  await service.close()
  const answer = await app.inject('/readyz')
  expectProblem(answer, 'overloaded')
  expect(answer.headers['retry-after']).toBe('5')
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  await app.close()
})

const nearby = { remoteAddress: '127.0.0.1' }
const faraway = { remoteAddress: '203.0.113.9' }
const proxied = { ...nearby, headers: { 'x-forwarded-for': '203.0.113.9' } }

it.each([
  ['local', 'from this machine', nearby, 200],
  ['local', 'from elsewhere', faraway, 404],
  ['local', 'through a proxy on this machine', proxied, 404],
  ['off', 'from this machine', nearby, 404],
  ['public', 'from elsewhere', faraway, 200],
] as const)('with metrics %s, a reader %s', async (RATEBOOK_METRICS, _, from, status) => {
  const { app } = await openDoor({ env: { RATEBOOK_METRICS } })
  expect((await app.inject({ url: '/metrics', ...from })).statusCode).toBe(status)
})

it('measures requests by route pattern and status, never by address', async () => {
  const { app } = await openDoor()
  await app.inject({ method: 'DELETE', url: '/app/api/keys/some-secret-id' })
  const { body, headers } = await app.inject('/metrics')
  expect(headers['content-type']).toContain('text/plain')
  expect(body).toContain(
    'ratebook_http_request_seconds_count{method="DELETE",route="/app/api/keys/:id",status="401"} 1',
  )
  expect(body).not.toContain('some-secret-id')
})
