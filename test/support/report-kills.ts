import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { readSettings } from '../../src/config.ts'
import { openRecords } from '../../src/records/open.ts'
import { publishBuilds } from '../../src/warehouse/manifest.ts'
import { openRates } from '../../src/warehouse/rates.ts'
import { buildFiles } from './published.ts'
import { worldFiles, worldQuery, worldReports } from './report-world.ts'

export interface ReportKills {
  readonly kills: number
  readonly statuses: readonly string[]
  /** Rows of each report as text; all are of the same question, so all must be the same. */
  readonly rows: readonly string[]
  /** Builds on disk for each report after the sweep. */
  readonly builds: readonly number[]
}

const codes = 60

/** The small world with many codes more, so that a build takes long enough to be killed in its middle. */
const manyFiles = worldFiles.map((file) => ({
  ...file,
  file: {
    in_network: Array.from({ length: codes }, (_, at) =>
      file.file.in_network.map((item) => ({
        ...item,
        billing_code: String(10_000 + at * 3 + Number(item.billing_code.endsWith('4'))),
      })),
    ).flat(),
  },
}))

/** Builds a report in `rounds` rounds, each time with a worker killed without warning `kills` times before one may finish. */
export async function reportUnderKills(rounds: number, kills: number): Promise<ReportKills> {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-report-kill-'))
  await publishBuilds(join(folder, 'rates'), await buildFiles(join(folder, 'rates'), manyFiles))
  const records = await openRecords(readSettings({ RATEBOOK_DATA: folder }))
  const rates = openRates(join(folder, 'rates'))
  const reports = worldReports(folder, records, rates)
  const { id: organizationId } = await createOrganization(records, 'Sample Clinic', 5, 'test', Date.now())
  const call = { caller: { organizationId, userId: null, keyId: null } }
  const query = {
    ...worldQuery,
    billingCodeAndTypes: Array.from({ length: codes * 3 }, (_, at) => ({
      type: 'CPT' as const,
      code: String(10_000 + at),
    })),
  }
  let killed = 0
  const found = { statuses: [] as string[], rows: [] as string[], builds: [] as number[] }
  try {
    for (let round = 0; round < rounds; round++) {
      const { id } = await reports.create({ name: `Round ${round}`, query }, call)
      for (let kill = 0; kill < kills; kill++) if (await run(folder, 5 + Math.random() * 400)) killed++
      await run(folder)
      const { report } = await reports.read(id, call)
      found.statuses.push(report.status)
      await reports.sweep()
      found.builds.push(readdirSync(join(folder, 'reports', id)).length)
      const { data, totalRows } = await reports.rows(
        { id, rateAggregation: 'none', pagination: { pageSize: 10_000 } },
        call,
      )
      found.rows.push(JSON.stringify([totalRows, data]))
    }
  } finally {
    await reports.close()
    rates.close()
    await records.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { kills: killed, ...found }
}

/** Runs a worker to its end, or kills it some time after it has begun. Returns whether it was killed at work. */
async function run(folder: string, killAfterMs?: number): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'report-child.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  await Promise.race([once(child.stdout, 'data'), ended])
  if (killAfterMs !== undefined) {
    await wait(killAfterMs)
    child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  if (signal === null && code !== 0) throw new Error(`The worker ended with ${code}.`)
  return signal === 'SIGKILL'
}
