import type { FastifyInstance } from 'fastify'
import { Failure } from '../errors.ts'
import type { Service } from '../service.ts'

/** `/healthz`: the process runs. `/readyz`: it can serve; a balancer stops sending when it cannot. */
export function serveHealth(app: FastifyInstance, service: Service, isClosing: () => boolean): void {
  const quiet = { logLevel: 'warn' } as const
  app.get('/healthz', quiet, async () => ({ status: 'ok' }))
  app.get('/readyz', quiet, async () => {
    if (isClosing()) throw new Failure('shutting_down', undefined, { headers: { 'Retry-After': '5' } })
    try {
      await service.records.read('select 1 as alive', [])
    } catch (error) {
      throw new Failure('overloaded', 'The records store does not answer.', {
        cause: error,
        headers: { 'Retry-After': '5' },
      })
    }
    return { status: 'ready' }
  })
}
