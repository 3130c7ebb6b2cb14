import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Failure } from '../errors.ts'
import type { Settings } from '../config.ts'

/** Measures every request and serves the figures to whom the settings let see them. */
export function serveMetrics(app: FastifyInstance, settings: Settings): void {
  if (settings.RATEBOOK_METRICS === 'off') return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'ratebook_http_request_seconds',
    help: 'Time to answer a request, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, not the address: an address holds identifiers, and there are too many of them.
    const route = request.routeOptions.url ?? '(none)'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (settings.RATEBOOK_METRICS === 'local' && !isFromThisMachine(request)) throw new Failure('not_found')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Whether a request comes from this machine itself, and not through a proxy that runs on it. */
function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers } = request
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip'] ?? headers.via
  return forwarded === undefined && loopback.has(request.socket.remoteAddress ?? '')
}
