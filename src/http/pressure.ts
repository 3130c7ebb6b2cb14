import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../errors.ts'
import type { Settings } from '../config.ts'

const busy = (what: string) =>
  new Failure('overloaded', `The server is at its limit (${what}). Try again shortly.`, {
    headers: { 'Retry-After': '2' },
  })

// A probe must be answered under pressure, or the orchestrator would kill a busy server.
const isProbe = (url: string) => url === '/healthz' || url === '/readyz' || url === '/metrics'

/** Refuses new requests before the process drowns in them. */
export async function refuseUnderPressure(app: FastifyInstance, settings: Settings): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: settings.RATEBOOK_MAX_EVENT_LOOP_DELAY_MS,
    maxHeapUsedBytes: settings.RATEBOOK_MAX_HEAP_BYTES,
    pressureHandler: (request, _reply, type) => {
      if (!isProbe(request.url)) throw busy(type)
    },
  })

  const most = settings.RATEBOOK_MAX_IN_FLIGHT
  if (most === 0) return
  let inFlight = 0
  app.addHook('onRequest', async (request, reply) => {
    if (isProbe(request.url)) return
    // 'close' comes once for every request, answered or abandoned.
    reply.raw.once('close', () => inFlight--)
    if (++inFlight > most) throw busy('requests under way')
  })
}
