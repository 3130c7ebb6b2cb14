/**
 * One of the two servers that bench/gate.ts compares, in a process of its own: the product's door with a trivial
 * answer behind it, or the same route and answer on bare Fastify. Tells its parent where it listens and, when it
 * stops, how much memory and processor time it took.
 */
import Fastify from 'fastify'
import { readSettings } from '../src/config.ts'
import { buildServer } from '../src/http/server.ts'
import { openService } from '../src/service.ts'

const plans = [
  { planName: 'PPO', count: 18_231 },
  { planName: 'HMO', count: 9_120 },
]

async function metered() {
  const opened = await openService(readSettings(process.env))
  const service = { ...opened, answers: { ...opened.answers, payerPlans: async () => plans } }
  const app = await buildServer(service)
  return { app, close: () => service.close() }
}

async function bare() {
  const app = Fastify()
  app.post('/api/v1/payer/plans', async () => plans)
  return { app, close: async () => {} }
}

const { app, close } = await (process.argv[2] === 'bare' ? bare() : metered())
const url = await app.listen({ port: 0, host: '127.0.0.1' })
let before = process.cpuUsage()
// The parent says when the warm-up is over.
process.on('message', () => (before = process.cpuUsage()))
process.send?.({ url })
process.once('SIGTERM', () => void stop())

async function stop() {
  await app.close()
  await close()
  const { user, system } = process.cpuUsage(before)
  const used = { peakRssMb: process.resourceUsage().maxRSS / 1_024, cpuUs: user + system }
  process.send?.(used, () => process.disconnect())
}
