/**
 * The whole server over generated rates, in a process of its own: node bench/pricing-server.ts FOLDER PRICES SET-SIZE.
 * Tells its parent the address and a key, then its memory whenever asked.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../src/accounts/api-keys.ts'
import { createOrganization } from '../src/accounts/organizations.ts'
import { readSettings } from '../src/config.ts'
import { buildServer } from '../src/http/server.ts'
import { Pricing } from '../src/pricing/pricing.ts'
import { openService } from '../src/service.ts'
import { answersOf } from '../src/service/answers.ts'
import { taxonomies } from '../src/vocabulary/taxonomy.ts'
import { openRates } from '../src/warehouse/rates.ts'
import { directoryOf, payerNames, taxonomies as made } from './pricing-data.ts'

const [rates = '', prices, setSize] = process.argv.slice(2)
const scale = {
  prices: Number(prices),
  setSize: Number(setSize),
  providers: 1_000_000,
  payers: 20,
  codes: 3_000,
}
const folder = mkdtempSync(join(tmpdir(), 'ratebook-bench-'))
writeFileSync(
  join(folder, 'payers.json'),
  JSON.stringify(payerNames(20).map((payer) => ({ payer, name: payer, states: [], aliases: [] }))),
)
const service = await openService(
  readSettings({
    RATEBOOK_DATA: folder,
    RATEBOOK_DEMO: 'off',
    RATEBOOK_LOG_LEVEL: 'silent',
    RATEBOOK_RATE_PER_SECOND: '1000000',
    RATEBOOK_RATE_BURST: '1000000',
  }),
)
const store = openRates(rates, { cacheBytes: service.settings.RATEBOOK_CACHE_BYTES })
// The doors take codes of the real list only.
const attributes = directoryOf(
  scale,
  taxonomies.slice(0, made.length).map(({ code }) => code),
)
const pricing = new Pricing(store, { attributes: async () => attributes }, { secret: service.secret })
const app = await buildServer({ ...service, pricing, answers: answersOf(pricing, service.providers, 10_000) })
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
const keys: string[] = []
for (let at = 0; at < 8; at++) {
  const { id } = await createOrganization(service.records, `Bench ${at}`, 100_000_000, 'bench')
  keys.push((await createKey(service.records, id, 'Bench')).apiKey)
}
process.send!({ baseUrl, keys })
process.on('message', (asked) => {
  if (asked === 'memory') {
    // Run with --expose-gc: what is left is held, not merely not yet collected.
    globalThis.gc?.()
    process.send!({ ...process.memoryUsage() })
    return
  }
  void (async () => {
    await app.close()
    await service.close()
    store.close()
    rmSync(folder, { recursive: true, force: true })
    process.disconnect()
  })()
})
