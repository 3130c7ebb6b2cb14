import { addressWithoutToken } from '../files/address.ts'
import type { Ledger } from './ledger.ts'

/** Notes that an ingest begins, and answers its number. */
export function newRun(ledger: Ledger, sources: readonly string[], options: object): number {
  return ledger.whole(() => {
    ledger.run(
      `insert into runs (started_at, state, sources, options) values (?, 'running', ?, ?)`,
      new Date().toISOString(),
      JSON.stringify(sources.map(addressWithoutToken)),
      JSON.stringify(options),
    )
    return ledger.row<{ id: number }>('select max(id) as id from runs')?.id ?? 0
  })
}

/** Notes how an ingest ended. One that was killed stays `running`. */
export const endRun = (ledger: Ledger, id: number, state: 'done' | 'stopped' | 'failed', says?: string) =>
  ledger.run(
    'update runs set state = ?, ended_at = ?, says = ? where id = ?',
    state,
    new Date().toISOString(),
    says ?? null,
    id,
  )
