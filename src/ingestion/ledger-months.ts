import type { SourceMonth } from '../vocabulary/period.ts'
import type { FileRow } from './ledger-files.ts'
import { planNamesOf } from './ledger-plans.ts'
import type { Ledger } from './ledger.ts'
import { networkNameOf } from './network-names.ts'
import { normalPlanNames } from './plan-names.ts'

/** Puts a file into a payer's month, in place of an earlier state of the same address. */
export function assignFile(
  ledger: Ledger,
  payer: string,
  month: SourceMonth,
  file: Pick<FileRow, 'id' | 'address' | 'entry'>,
  monthBy: string,
): void {
  ledger.run(
    `insert or replace into month_files (payer, month, address, entry, file, month_by) values (?, ?, ?, ?, ?, ?)`,
    payer,
    month,
    file.address,
    file.entry,
    file.id,
    monthBy,
  )
}

/** Notes that an index belongs to a payer's month, in place of an earlier state of it: its plans count for that month's files. */
export function assignIndex(ledger: Ledger, payer: string, month: SourceMonth, index: number): void {
  ledger.run(
    `delete from month_indexes where payer = ? and month = ? and index_id <> ? and index_id in
       (select id from indexes where address = (select address from indexes where id = ?))`,
    payer,
    month,
    index,
    index,
  )
  ledger.run(
    'insert or ignore into month_indexes (payer, month, index_id) values (?, ?, ?)',
    payer,
    month,
    index,
  )
}

/** Takes every file and index out of a payer's month, to begin it anew. */
export function emptyMonth(ledger: Ledger, payer: string, month: SourceMonth): void {
  ledger.whole(() => {
    ledger.run('delete from month_files where payer = ? and month = ?', payer, month)
    ledger.run('delete from month_indexes where payer = ? and month = ?', payer, month)
  })
}

/** A staged file of a month, with the plans and networks it is published for. */
export interface MonthSource {
  readonly file: FileRow
  readonly plans: readonly string[]
  readonly networks: readonly string[]
}

/** What a payer's month is built from: each content once, with the plans of every address that carries it. */
export function monthSources(ledger: Ledger, payer: string, month: SourceMonth): MonthSource[] {
  const files = ledger.rows<FileRow>(
    `select f.* from month_files m join files f on f.id = m.file
     where m.payer = ? and m.month = ? and f.state = 'staged' and f.stage is not null
     order by f.digest, f.address, f.entry`,
    payer,
    month,
  )
  const byContent = new Map<string, { file: FileRow; plans: Set<string>; networks: Set<string> }>()
  for (const file of files) {
    const key = `${file.digest} ${file.filter}`
    const source = byContent.get(key) ?? { file, plans: new Set(), networks: new Set() }
    byContent.set(key, source)
    for (const name of planNamesOf(ledger, payer, month, file.id))
      for (const plan of normalPlanNames(name)) source.plans.add(plan)
    for (const description of descriptionsOf(ledger, payer, month, file.address)) {
      const network = networkNameOf(description)
      if (network) source.networks.add(network)
    }
  }
  return [...byContent.values()].map(({ file, plans, networks }) => ({
    file,
    plans: [...plans].sort(),
    networks: [...networks].sort(),
  }))
}

const descriptionsOf = (ledger: Ledger, payer: string, month: SourceMonth, address: string) =>
  ledger
    .rows<{ description: string }>(
      `select distinct l.description from listed_files l join file_set_files sf on sf.listed = l.id
         join file_sets s on s.id = sf.file_set join month_indexes m on m.index_id = s.index_id
       where m.payer = ? and m.month = ? and l.address = ?`,
      payer,
      month,
      address,
    )
    .map(({ description }) => description)

/** Writes down what was published for a payer's month. */
export const recordBuild = (
  ledger: Ledger,
  built: {
    readonly payer: string
    readonly month: number
    readonly build: string
    readonly bytes: number
    readonly counts: object
  },
) =>
  ledger.run(
    `insert or replace into months (payer, month, build, bytes, counts, published_at) values (?, ?, ?, ?, ?, ?)`,
    built.payer,
    built.month,
    built.build,
    built.bytes,
    JSON.stringify(built.counts),
    new Date().toISOString(),
  )

/** The payers' months that a file belongs to. */
export const monthsOfFile = (ledger: Ledger, file: number) =>
  ledger.rows<{ payer: string; month: SourceMonth }>(
    'select payer, month from month_files where file = ? order by payer, month',
    file,
  )
