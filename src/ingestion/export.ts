import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BIGINT,
  DuckDBDataChunk,
  DuckDBInstance,
  LIST,
  UBIGINT,
  UINTEGER,
  VARCHAR,
  listValue,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { Failure } from '../errors.ts'
import { Build } from '../warehouse/build.ts'
import { holdSnapshot, readManifest } from '../warehouse/manifest.ts'

export interface ExportRequest {
  readonly ratesFolder: string
  /** Where to write; one folder for each payer and month is made in it. */
  readonly folder: string
  readonly payer?: string
  readonly month?: number
  readonly signal?: AbortSignal
}

export interface ExportedMonth {
  readonly payer: string
  readonly month: number
  readonly folder: string
  readonly prices: number
}

/**
 * Writes published months as Parquet that any tool reads: prices, the provider sets they name, the providers in those,
 * TINs and files. docs/data-model.md describes each column.
 */
export async function exportMonths(request: ExportRequest): Promise<ExportedMonth[]> {
  const { snapshot, builds } = await readManifest(request.ratesFolder)
  const wanted = builds.filter(
    ({ payer, month }) =>
      (request.payer === undefined || payer === request.payer) &&
      (request.month === undefined || month === request.month),
  )
  if (wanted.length === 0) throw new Failure('not_found', 'Nothing of that kind is published.')
  const release = holdSnapshot(request.ratesFolder, snapshot)
  try {
    const exported: ExportedMonth[] = []
    for (const { payer, month, build } of wanted) {
      request.signal?.throwIfAborted()
      const folder = join(request.folder, `payer=${encodeURIComponent(payer)}`, `month=${month}`)
      const opened = new Build(join(request.ratesFolder, 'builds', build))
      try {
        exported.push({ payer, month, folder, prices: await exportBuild(opened, folder) })
      } finally {
        opened.close()
      }
    }
    return exported
  } finally {
    release()
  }
}

/** Writes one build; the folder appears whole or not at all. */
async function exportBuild(build: Build, folder: string): Promise<number> {
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const instance = await DuckDBInstance.create(join(partial, 'work.duckdb'), {
    threads: '2',
    memory_limit: '512MB',
  })
  const connection = await instance.connect()
  try {
    await fill(connection, build)
    for (const [name, query] of Object.entries(exports))
      await connection.run(
        `copy (${query}) to '${join(partial, `${name}.parquet`).replaceAll("'", "''")}' (format parquet, compression zstd)`,
      )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  await rm(join(partial, 'work.duckdb'), { force: true })
  await rm(join(partial, 'work.duckdb.wal'), { force: true })
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
  return build.summary.counts.prices
}

const exports = {
  prices: `
    select c.type as billing_code_type, c.code as billing_code, c.severity as severity_of_illness,
      t.negotiated_type, t.billing_class, t.setting, t.service_codes, t.modifiers,
      (p.rate::decimal(18, 0) / 10000)::decimal(18, 4) as negotiated_rate,
      p.provider_set, l.networks, l.plans, p.file, p.item, p.rate_object, p.byte_offset
    from prices p
      join codes c on c.id = p.code
      join terms t on t.id = p.term
      join labels l on l.id = p.label
    order by c.id, t.id, p.rate, p.provider_set`,
  provider_sets: 'select provider_set, provider_group from provider_sets order by all',
  provider_groups: `
    select g.provider_group, t.tin, nullif(g.npi, 0) as npi
    from provider_groups g join tins t on t.id = g.tin order by g.provider_group, t.tin, g.npi`,
  tins: 'select tin, business_name from tins order by tin',
  files: 'select id as file, digest, entry, address, size, last_updated_on from files order by id',
} as const

async function fill(connection: DuckDBConnection, build: Build): Promise<void> {
  const { summary, codes, providers, tinTexts } = build
  const names = (list: readonly string[], ids: readonly number[]) =>
    listValue(ids.map((id) => list[id] ?? ''))
  const table = (name: string, columns: Columns) => new Filling(connection, name, columns)

  const codeTable = await table('codes', {
    id: UINTEGER,
    type: VARCHAR,
    code: VARCHAR,
    severity: VARCHAR,
  }).made()
  for (const [id, code] of codes.code.entries())
    codeTable.add(id, codes.type[id] ?? '', code, codes.severity[id] ?? '')
  codeTable.end()

  const termTable = await table('terms', {
    id: UINTEGER,
    negotiated_type: VARCHAR,
    billing_class: VARCHAR,
    setting: VARCHAR,
    service_codes: LIST(VARCHAR),
    modifiers: LIST(VARCHAR),
  }).made()
  for (const [id, term] of summary.terms.entries())
    termTable.add(
      id,
      term.negotiatedType,
      term.billingClass,
      term.setting,
      listValue([...term.serviceCodes]),
      listValue([...term.modifiers]),
    )
  termTable.end()

  const labelTable = await table('labels', {
    id: UINTEGER,
    networks: LIST(VARCHAR),
    plans: LIST(VARCHAR),
  }).made()
  for (const [id, label] of summary.labels.entries())
    labelTable.add(id, names(summary.networkNames, label.networks), names(summary.planNames, label.plans))
  labelTable.end()

  const fileTable = await table('files', {
    id: UINTEGER,
    digest: VARCHAR,
    entry: VARCHAR,
    address: VARCHAR,
    size: BIGINT,
    last_updated_on: VARCHAR,
  }).made()
  for (const [id, { digest, entry, origin }] of summary.sources.entries())
    fileTable.add(
      id,
      digest,
      entry ?? '',
      String(origin.address ?? ''),
      BigInt(origin.size ?? 0),
      String(origin.lastUpdatedOn ?? ''),
    )
  fileTable.end()

  const tinTable = await table('tins', { id: UINTEGER, tin: VARCHAR, business_name: VARCHAR }).made()
  for (let id = 0; id < providers.tin.length; id++)
    tinTable.add(id, build.tinText(id), tinTexts.names[id] ?? '')
  tinTable.end()

  const groupTable = await table('provider_groups', {
    provider_group: UINTEGER,
    tin: UINTEGER,
    npi: UBIGINT,
  }).made()
  for (let group = 0, pair = 0; group < providers.atomEnd.length; group++)
    for (; pair < (providers.atomEnd[group] ?? 0); pair++)
      groupTable.add(
        group,
        providers.pairTin[pair] ?? 0,
        BigInt(providers.npi[providers.pairNpi[pair] ?? 0] ?? 0),
      )
  groupTable.end()

  const setTable = await table('provider_sets', { provider_set: UINTEGER, provider_group: UINTEGER }).made()
  for (let set = 0, at = 0; set < providers.setEnd.length; set++)
    for (; at < (providers.setEnd[set] ?? 0); at++) setTable.add(set, providers.setAtom[at] ?? 0)
  setTable.end()

  await fillPrices(connection, build)
}

async function fillPrices(connection: DuckDBConnection, build: Build): Promise<void> {
  const prices = await new Filling(connection, 'prices', {
    code: UINTEGER,
    term: UINTEGER,
    rate: BIGINT,
    provider_set: UINTEGER,
    label: UINTEGER,
    file: UINTEGER,
    item: UINTEGER,
    rate_object: UINTEGER,
    byte_offset: BIGINT,
  }).made()
  for (const code of build.codes.code.keys()) {
    const block = build.prices(code)
    const places = build.places(code)
    for (let run = 0, row = 0; run < block.runTerm.length; run++)
      for (; row < (block.runEnd[run] ?? 0); row++)
        prices.add(
          code,
          block.runTerm[run] ?? 0,
          BigInt(block.rate[row] ?? 0),
          block.set[row] ?? 0,
          block.label[row] ?? 0,
          places.source[row] ?? 0,
          places.item[row] ?? 0,
          places.rate[row] ?? 0,
          BigInt(places.offset[row] ?? 0),
        )
  }
  prices.end()
}

type Columns = Readonly<Record<string, DuckDBType>>

const chunkRows = 2_048

/** A table of the export's working database, filled row by row and handed over in chunks. */
class Filling {
  readonly #connection: DuckDBConnection
  readonly #name: string
  readonly #columns: Columns
  readonly #types: readonly DuckDBType[]
  readonly #values: DuckDBValue[][]
  #appender: Awaited<ReturnType<DuckDBConnection['createAppender']>> | undefined

  constructor(connection: DuckDBConnection, name: string, columns: Columns) {
    this.#connection = connection
    this.#name = name
    this.#columns = columns
    this.#types = Object.values(columns)
    this.#values = this.#types.map(() => [])
  }

  async made(): Promise<this> {
    const columns = Object.entries(this.#columns).map(([name, type]) => `${name} ${type.toString()}`)
    await this.#connection.run(`create table ${this.#name} (${columns.join(', ')})`)
    this.#appender = await this.#connection.createAppender(this.#name)
    return this
  }

  add(...row: readonly DuckDBValue[]): void {
    for (const [column, value] of row.entries()) this.#values[column]?.push(value)
    if ((this.#values[0]?.length ?? 0) >= chunkRows) this.#hand()
  }

  end(): void {
    this.#hand()
    this.#appender?.closeSync()
  }

  #hand(): void {
    const rows = this.#values[0]?.length ?? 0
    if (rows === 0) return
    const chunk = DuckDBDataChunk.create(this.#types, rows)
    for (const [column, values] of this.#values.entries()) chunk.setColumnValues(column, values)
    this.#appender?.appendDataChunk(chunk)
    for (const values of this.#values) values.length = 0
  }
}
