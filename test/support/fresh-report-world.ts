import { onTestFinished } from 'vitest'
import type { ReportsSettings } from '../../src/reports/reports.ts'
import { freshRecords } from './records.ts'
import { openWorld, type World } from './report-world.ts'

/** Reports over the small world on a row store of their own; closed when the test ends. */
export async function freshWorld(settings: Partial<ReportsSettings> = {}): Promise<World> {
  const world = await openWorld(await freshRecords(), settings)
  onTestFinished(() => world.close())
  return world
}
