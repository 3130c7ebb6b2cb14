import { onTestFinished } from 'vitest'
import { readSettings } from '../../src/config.ts'
import { openRecords } from '../../src/records/open.ts'
import type { Records } from '../../src/records/records.ts'
import { freshStore } from './service.ts'

/** A row store that nobody else sees, SQLite or PostgreSQL, closed when the test ends. */
export async function freshRecords(): Promise<Records> {
  return (await freshOpenings(1))[0]!
}

/**
 * Several openings of one fresh store, as several processes hold it. On SQLite they must take turns: a process that
 * waits for another one's lock does nothing else, so two openings inside one process would wait for ever.
 */
export async function freshOpenings(count = 2): Promise<Records[]> {
  const settings = readSettings(await freshStore())
  const opened: Records[] = []
  for (let at = 0; at < count; at++) {
    const records = await openRecords(settings)
    onTestFinished(() => records.close())
    opened.push(records)
  }
  return opened
}
