import { readSettings } from '../../src/config.ts'
import { buildServer } from '../../src/http/server.ts'
import { openService } from '../../src/service.ts'

/** A server in a process of its own, which takes over the work of a killed one within seconds. Says where it listens. */
const service = await openService(readSettings(process.env), {
  worker: { leaseMs: 1_000, pollMs: 50 },
})
const app = await buildServer(service)
process.send?.({ url: await app.listen({ port: 0, host: '127.0.0.1' }) })
