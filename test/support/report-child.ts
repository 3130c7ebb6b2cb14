import { join } from 'node:path'
import { JobWorker } from '../../src/jobs/worker.ts'
import { openRecords } from '../../src/records/open.ts'
import { readSettings } from '../../src/config.ts'
import { openRates } from '../../src/warehouse/rates.ts'
import { worldReports } from './report-world.ts'

/** A process that builds the reports of a folder until it is killed, or until none waits. Says `working` when it begins. */
const [folder = ''] = process.argv.slice(2)
const records = await openRecords(readSettings({ RATEBOOK_DATA: folder }))
const rates = openRates(join(folder, 'rates'))
const reports = worldReports(folder, records, rates)
const worker = new JobWorker(records, reports.handlers, { pollMs: 10, leaseMs: 300, retryMs: 1 })
worker.start()
process.stdout.write('working\n')
for (;;) {
  const waiting = await records.db
    .selectFrom('jobs')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .execute()
  if (waiting.length === 0) break
  await new Promise((resume) => setTimeout(resume, 20))
}
await worker.stop()
await reports.close()
rates.close()
await records.close()
