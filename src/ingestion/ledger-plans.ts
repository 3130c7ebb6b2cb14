import { createHash } from 'node:crypto'
import { addressWithoutToken } from '../files/address.ts'
import type { Validators } from '../files/http.ts'
import type { Ledger } from './ledger.ts'
import type { ReportedPlan } from './reported-plan.ts'
import type { IndexHeader, Listing } from './table-of-contents.ts'

/** The ledger's number of a plan. */
export function planId(ledger: Ledger, plan: ReportedPlan): number {
  return ledger.id(
    'insert into plans (name, id_type, plan_id, market, issuer, sponsor) values (?, ?, ?, ?, ?, ?)',
    'select id from plans where name = ? and id_type = ? and plan_id = ? and market = ? and issuer = ? and sponsor = ?',
    plan.name,
    plan.idType,
    plan.id,
    plan.market,
    plan.issuer,
    plan.sponsor,
  )
}

export interface IndexRead {
  /** Without token. */
  readonly address: string
  readonly digest: string
  readonly validators: Validators
  readonly header: IndexHeader
  /** It lists addresses that are stored without what grants access to them. */
  readonly signed: boolean
  readonly says: string | undefined
}

const idsHeldMax = 200_000

/**
 * Takes down an index while it is read: which plan uses which file. Files that are listed together are kept as one set,
 * whose content names it, so that thousands of plans with the same files cost one set.
 */
export class IndexBook {
  #ledger: Ledger
  #index: number
  #structure = -1
  #files = new Set<number>()
  #plans = new Set<number>()
  #fileIds = new Map<string, number>()

  constructor(ledger: Ledger, read: Pick<IndexRead, 'address'>) {
    this.#ledger = ledger
    // The digest is known at the end; until then the row stands for an unfinished crawl.
    const pending = `reading-${process.pid}-${Date.now()}`
    this.#index = ledger.id(
      `insert into indexes (address, digest, read_at) values (?, ?, datetime('now'))`,
      'select id from indexes where address = ? and digest = ?',
      read.address,
      pending,
    )
  }

  add(listings: readonly Listing[]): void {
    this.#ledger.whole(() => {
      for (const listing of listings) {
        if (listing.structure !== this.#structure) this.#finishStructure()
        this.#structure = listing.structure
        if ('plan' in listing) this.#plans.add(planId(this.#ledger, listing.plan))
        else this.#files.add(this.#fileId(listing.file))
      }
    })
  }

  /** Closes the crawl and answers the number of the index. The same index read again replaces its former crawl. */
  finish(read: IndexRead): number {
    return this.#ledger.whole(() => {
      this.#finishStructure()
      const former = this.#ledger.row<{ id: number }>(
        'select id from indexes where address = ? and digest = ?',
        read.address,
        read.digest,
      )
      if (former) this.#ledger.run('delete from indexes where id = ?', this.#index)
      const id = former?.id ?? this.#index
      this.#ledger.run(
        `update indexes set digest = ?, etag = ?, last_modified = ?, size = ?, signed = ?, reporting_entity = ?,
           last_updated_on = ?, version = ?, says = ?, read_at = ? where id = ?`,
        read.digest,
        read.validators.etag ?? null,
        read.validators.lastModified ?? null,
        read.validators.size ?? null,
        read.signed ? 1 : 0,
        read.header.reporting_entity_name ?? null,
        read.header.last_updated_on ?? null,
        read.header.version ?? null,
        read.says ?? null,
        new Date().toISOString(),
        id,
      )
      return id
    })
  }

  #finishStructure(): void {
    if (this.#files.size > 0) {
      const ids = [...this.#files].sort((a, b) => a - b)
      const key = createHash('sha256').update(ids.join(',')).digest('hex').slice(0, 32)
      const known = this.#ledger.row<{ id: number }>(
        'select id from file_sets where index_id = ? and key = ?',
        this.#index,
        key,
      )
      const set = known?.id ?? this.#newSet(key, ids)
      for (const plan of this.#plans)
        this.#ledger.run('insert or ignore into file_set_plans (file_set, plan) values (?, ?)', set, plan)
    }
    this.#files.clear()
    this.#plans.clear()
  }

  #newSet(key: string, ids: readonly number[]): number {
    const set = this.#ledger.id(
      'insert into file_sets (index_id, key) values (?, ?)',
      'select id from file_sets where index_id = ? and key = ?',
      this.#index,
      key,
    )
    for (const id of ids)
      this.#ledger.run('insert or ignore into file_set_files (file_set, listed) values (?, ?)', set, id)
    return set
  }

  #fileId(file: { readonly kind: string; readonly description: string; readonly location: string }): number {
    const address = addressWithoutToken(file.location)
    const key = `${file.kind} ${address}`
    const held = this.#fileIds.get(key)
    if (held !== undefined) return held
    const id = this.#ledger.id(
      `insert into listed_files (address, kind, description) values (?, ?, '')`,
      'select id from listed_files where address = ? and kind = ?',
      address,
      file.kind,
    )
    this.#ledger.run('update listed_files set description = ? where id = ?', file.description, id)
    if (this.#fileIds.size >= idsHeldMax) this.#fileIds.clear()
    this.#fileIds.set(key, id)
    return id
  }
}

/** An index that was read to its end before. */
export interface KnownIndex {
  readonly id: number
  readonly validators: Validators
  readonly reportingEntity: string | undefined
}

/** What is known of an index, where its files can be had without reading it again. */
export function knownIndex(ledger: Ledger, address: string): KnownIndex | undefined {
  const row = ledger.row<{
    id: number
    etag: string | null
    last_modified: string | null
    size: number | null
    reporting_entity: string | null
  }>(
    `select id, etag, last_modified, size, reporting_entity from indexes
     where address = ? and says is null and signed = 0 and (etag is not null or last_modified is not null)
     order by read_at desc limit 1`,
    address,
  )
  return (
    row && {
      id: row.id,
      validators: {
        ...(row.etag && { etag: row.etag }),
        ...(row.last_modified && { lastModified: row.last_modified }),
        ...(row.size !== null && { size: row.size }),
      },
      reportingEntity: row.reporting_entity ?? undefined,
    }
  )
}

/** The files that an index lists, each once, by address. */
export const listedFiles = (ledger: Ledger, index: number) =>
  ledger.rows<{ address: string; kind: 'in-network' | 'allowed-amounts'; description: string }>(
    `select distinct l.address, l.kind, l.description
     from file_sets s join file_set_files f on f.file_set = s.id join listed_files l on l.id = f.listed
     where s.index_id = ? order by l.address`,
    index,
  )

/** How a plan was reported, with what is known of it besides its name. */
export interface PlanRow {
  readonly name: string
  readonly id_type: string
  readonly plan_id: string
  readonly market: string
  readonly issuer: string
  readonly sponsor: string
}

/** The distinct names of the plans that the indexes of a payer's month, or the file itself, name for a file. */
export const planNamesOf = (ledger: Ledger, payer: string, month: number, file: number): string[] =>
  ledger
    .rows<{ name: string }>(
      `select distinct p.name from plans p join file_set_plans sp on sp.plan = p.id
         join file_set_files sf on sf.file_set = sp.file_set
         join listed_files l on l.id = sf.listed
         join file_sets s on s.id = sp.file_set
         join month_indexes m on m.index_id = s.index_id
         join files f on f.address = l.address
       where m.payer = ? and m.month = ? and f.id = ?
       union select p.name from plans p join files f on f.plan = p.id where f.id = ?
       order by 1`,
      payer,
      month,
      file,
      file,
    )
    .map(({ name }) => name)
    .filter((name) => name !== '')
