import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../jobs/worker.ts'
import { ComparedSubjects } from '../pricing/compared-subjects.ts'
import type { EntryBatch, EntryWalk } from '../pricing/entry-walk.ts'
import { ProviderKeys } from '../pricing/provider-keys.ts'
import { valuesOf } from '../pricing/rate-filter.ts'
import { unclassified } from '../pricing/sources.ts'
import { yearMonthOf, type SourceMonth } from '../vocabulary/period.ts'
import type { Build } from '../warehouse/build.ts'
import { openEngine, type Appender, type Engine } from '../warehouse/engine.ts'
import type { PlaceBlock } from '../warehouse/price-blocks.ts'
import { unknownProvider, zipText } from '../warehouse/provider-attributes.ts'

/** What providers are called, in the directory; those it does not know are left out. */
export interface ProviderNames {
  npis(npis: readonly number[]): Promise<ReadonlyMap<number, string>>
  tins(tins: readonly number[]): Promise<ReadonlyMap<number, string>>
}

export interface RowFileOptions {
  readonly walk: EntryWalk
  readonly medicareYear?: number | undefined
  readonly names: ProviderNames
  readonly rowsMost: number
  readonly memoryLimit: string
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress: (fraction: number) => Promise<void> | void
}

export const rowFileName = 'rows.duckdb'
const workFileName = 'work.duckdb'
export const planNamesMost = 30
const separator = '; '
const namesAtOnce = 2_000
const contextsAtOnce = 2_048
const contextColumns = 13

/** Quotes a path for SQL: a statement that opens a file takes no bound value. */
export const quotedPath = (path: string) => `'${path.replaceAll("'", "''")}'`

export const monthText = (month: SourceMonth) => {
  const { year, month: number } = yearMonthOf(month)
  return `${year}-${String(number).padStart(2, '0')}`
}

/**
 * Writes the entries of a walk as a table of rows in a folder. Entries are staged as numbers, their words apart;
 * the engine then puts the two together, within its memory limit. Returns how many rows there are.
 */
export async function writeRowFile(folder: string, options: RowFileOptions): Promise<number> {
  const { walk, rowsMost, signal, onProgress } = options
  const counts = await walk.counts(signal)
  const expected = counts.reduce((sum, { entries }) => sum + entries, 0)
  if (expected > rowsMost)
    throw new JobFailure(
      `The report would have ${expected.toLocaleString('en-US')} rows; this server keeps at most ${rowsMost.toLocaleString('en-US')}. Name fewer codes, payers, states or months.`,
    )
  await onProgress(0.05)
  const work = join(folder, workFileName)
  const engine = await openEngine(work, { threads: options.threads, memoryLimit: options.memoryLimit })
  try {
    const staged = await StagedRows.open(engine, options)
    let rows = 0
    for await (const batch of walk.batches(signal)) {
      staged.add(batch)
      rows += batch.length
      await onProgress(0.05 + (0.55 * rows) / Math.max(expected, 1))
    }
    await staged.end()
    await onProgress(0.6)
    await stageProviders(engine, options)
    await onProgress(0.75)
    await engine.run(`attach ${quotedPath(join(folder, rowFileName))} as target`)
    await engine.run(pooled)
    await engine.run(joined, [], { signal })
    await engine.run('checkpoint target')
    await engine.run('detach target')
    return rows
  } finally {
    await engine.close()
    await rm(work, { force: true })
    await rm(`${work}.wal`, { force: true })
    await rm(`${work}.tmp`, { recursive: true, force: true })
  }
}

const tables = [
  `create table entries (
    "row" uinteger, context uinteger, label uinteger, source uinteger, item uinteger, rate_object uinteger,
    tin uinteger, rank uinteger, npi double, rate double, medicare double)`,
  `create table contexts (
    id uinteger, payer varchar, year_month varchar, billing_code_type varchar, billing_code varchar, severity varchar,
    billing_code_group varchar, billing_code_subgroup varchar, billing_class varchar, setting varchar,
    negotiated_type varchar, service_codes varchar, modifiers varchar)`,
  'create table labels (id uinteger, networks varchar, plan_names varchar)',
  'create table sources (id uinteger, file varchar)',
  'create table tins (id uinteger, tin double, value varchar, name varchar)',
  'create table npis (npi double, name varchar, state varchar, zip varchar, taxonomy_code varchar, entity_type varchar)',
]

/** Money as whole ten-thousandths of a dollar, percents as whole ten-thousandths of a percent. */
const joined = `
  create table target.report_rows as
  select e."row", e.context, e.tin as tin_key, c.pool,
    c.payer, c.year_month, c.billing_code_type, c.billing_code, c.severity, c.billing_code_group,
    c.billing_code_subgroup, c.billing_class, c.setting, c.negotiated_type, c.service_codes, c.modifiers,
    nullif(e.npi, 0)::bigint as npi, n.name as npi_name,
    t.tin::bigint as tin, t.value as tin_value, t.name as tin_name,
    n.state, n.zip, n.taxonomy_code, n.entity_type, l.networks, l.plan_names,
    e.rate::bigint as negotiated_rate,
    nullif(e.medicare, 0)::bigint as medicare_rate,
    case when e.medicare > 0 and c.negotiated_type not in ('percentage', 'per diem') then
      ((2 * e.rate::hugeint * 1000000 + e.medicare::hugeint) // (2 * e.medicare::hugeint))::bigint
    end as medicare_percent,
    s.file as source_file,
    'in_network[' || e.item || '].negotiated_rates[' || e.rate_object || ']' as source_place
  from entries e
    join pooled_contexts c on c.id = e.context
    join labels l on l.id = e.label
    join sources s on s.id = e.source
    join tins t on t.id = e.tin
    left join npis n on n.npi = e.npi`

/** Rates of one pool are for the same thing: what an outlier is, is judged among them. */
const pooled = `
  create table pooled_contexts as
  select *, dense_rank() over (
    order by billing_code_type, billing_code, severity, billing_class, modifiers,
      case when negotiated_type in ('percentage', 'per diem') then negotiated_type end)::uinteger as pool
  from contexts`

/** Entries as numbers, and the words of contexts, labels, files and TINs beside them. */
class StagedRows {
  private readonly engine: Engine
  private readonly walk: EntryWalk
  private readonly compared: ComparedSubjects | undefined
  private readonly keys: ProviderKeys | undefined
  private readonly entries: Appender
  private readonly contexts: Appender
  private rows = 0
  private contextCount = 0
  private readonly contextRows: (string | number | null)[][] = []
  private labelCount = 0
  private sourceCount = 0
  private tinCount = 0
  private build: Build | undefined
  private tinSeen = new Uint8Array(0)
  private place: { readonly codeRow: number; readonly block: PlaceBlock } | undefined
  private last = { codeRow: -1, term: -1, subject: 0 }

  private constructor(engine: Engine, options: RowFileOptions, entries: Appender, contexts: Appender) {
    this.engine = engine
    this.walk = options.walk
    this.entries = entries
    this.contexts = contexts
    const { attributes, medicare } = options.walk.sources
    const year = options.medicareYear
    this.compared = medicare && year !== undefined ? new ComparedSubjects(medicare, year) : undefined
    this.keys =
      medicare && year !== undefined ? new ProviderKeys(attributes, [], { medicare, year }) : undefined
  }

  static async open(engine: Engine, options: RowFileOptions): Promise<StagedRows> {
    for (const table of tables) await engine.run(table)
    const entries = await engine.appender('entries', [
      'u32',
      'u32',
      'u32',
      'u32',
      'u32',
      'u32',
      'u32',
      'u32',
      'f64',
      'f64',
      'f64',
    ])
    const contexts = await engine.appender('contexts', [
      'u32',
      ...Array.from({ length: contextColumns - 1 }, () => 'text' as const),
    ])
    return new StagedRows(engine, options, entries, contexts)
  }

  add(batch: EntryBatch): void {
    if (batch.build !== this.build) this.begin(batch.build)
    const { length } = batch
    const column = () => new Uint32Array(length)
    const [row, context, label, source, item, rateObject, tin] = [
      column(),
      column(),
      column(),
      column(),
      column(),
      column(),
      column(),
    ]
    const medicare = new Float64Array(length)
    for (let at = 0; at < length; at++) {
      const codeRow = batch.codeRow[at]!
      if (codeRow !== this.last.codeRow || batch.term[at] !== this.last.term)
        this.beginContext(codeRow, batch.term[at]!)
      const places = this.placesOf(codeRow)
      const priceRow = batch.priceRow[at]!
      row[at] = this.rows++
      context[at] = this.contextCount - 1
      label[at] = this.labelCount + batch.label[at]!
      source[at] = this.sourceCount + places.source[priceRow]!
      item[at] = places.item[priceRow]!
      rateObject[at] = places.rate[priceRow]!
      tin[at] = this.tinCount + batch.tin[at]!
      this.tinSeen[batch.tin[at]!] = 1
      medicare[at] = this.medicareOf(batch.rank[at]!)
    }
    this.entries.add(
      [row, context, label, source, item, rateObject, tin, batch.rank, batch.npi, batch.rate, medicare],
      length,
    )
  }

  async end(): Promise<void> {
    await this.endBuild()
    this.writeContexts()
    this.entries.close()
    this.contexts.close()
  }

  private pendingEnds: (() => Promise<void>)[] = []

  private begin(build: Build): void {
    if (this.build) this.leave(this.build)
    this.build = build
    this.tinSeen = new Uint8Array(build.providers.tin.length)
    this.place = undefined
    this.last = { codeRow: -1, term: -1, subject: 0 }
  }

  /** Notes the words of a build whose entries are all in. They are written at the end: other appenders are still open. */
  private leave(build: Build): void {
    const { labelCount, sourceCount, tinCount, tinSeen } = this
    this.pendingEnds.push(() => this.writeWords(build, labelCount, sourceCount, tinCount, tinSeen))
    this.labelCount += build.summary.labels.length
    this.sourceCount += build.summary.sources.length
    this.tinCount += tinSeen.length
  }

  private async endBuild(): Promise<void> {
    if (this.build) this.leave(this.build)
    for (const end of this.pendingEnds) await end()
  }

  private async writeWords(
    build: Build,
    labelFrom: number,
    sourceFrom: number,
    tinFrom: number,
    tinSeen: Uint8Array,
  ): Promise<void> {
    const { labels, networkNames, planNames, sources } = build.summary
    const joinedNames = (names: readonly string[]) => (names.length > 0 ? names.join(separator) : null)
    await this.write(
      'labels',
      ['u32', 'text', 'text'],
      [
        labels.map((_, at) => labelFrom + at),
        labels.map(({ networks }) => joinedNames(networks.map((name) => networkNames[name]!).sort())),
        labels.map(({ plans }) =>
          joinedNames(
            plans
              .map((name) => planNames[name]!)
              .sort()
              .slice(0, planNamesMost),
          ),
        ),
      ],
    )
    await this.write(
      'sources',
      ['u32', 'text'],
      [
        sources.map((_, at) => sourceFrom + at),
        sources.map(({ digest, entry }) => (entry ? `${digest}/${entry}` : digest)),
      ],
    )
    const { names } = build.tinTexts
    const seen = [...tinSeen.keys()].filter((tin) => tinSeen[tin] === 1)
    const texts = seen.map((tin) => build.tinText(tin))
    await this.write(
      'tins',
      ['u32', 'f64', 'text', 'text'],
      [
        seen.map((tin) => tinFrom + tin),
        texts.map((text) => (/^\d+$/.test(text) ? Number(text) : null)),
        texts,
        seen.map((tin) => names[tin] || null),
      ],
    )
  }

  private async write(
    table: string,
    types: readonly ('u32' | 'f64' | 'text')[],
    columns: readonly (readonly (string | number | null)[])[],
  ): Promise<void> {
    const appender = await this.engine.appender(table, types)
    appender.add(columns, columns[0]!.length)
    appender.close()
  }

  private beginContext(codeRow: number, termId: number): void {
    const build = this.build!
    const type = build.codes.type[codeRow]!
    const code = build.codes.code[codeRow]!
    const term = build.summary.terms[termId]!
    const { group, subgroup } = this.walk.sources.codeGroup?.(type, code) ?? unclassified
    this.contextRows.push([
      this.contextCount++,
      build.payer,
      monthText(build.month),
      type,
      code,
      build.codes.severity[codeRow] || null,
      group,
      subgroup,
      term.billingClass || null,
      term.setting || null,
      term.negotiatedType,
      valuesOf(term.serviceCodes).join(separator),
      valuesOf(term.modifiers).join(separator),
    ])
    if (this.contextRows.length >= contextsAtOnce) this.writeContexts()
    this.last = { codeRow, term: termId, subject: this.compared?.id({ type, code }, term) ?? 0 }
  }

  private writeContexts(): void {
    const rows = this.contextRows
    const columns = Array.from({ length: contextColumns }, (_, column) => rows.map((row) => row[column]!))
    this.contexts.add(columns, rows.length)
    rows.length = 0
  }

  private placesOf(codeRow: number): PlaceBlock {
    if (this.place?.codeRow !== codeRow) this.place = { codeRow, block: this.build!.places(codeRow) }
    return this.place.block
  }

  /** 0 = no amount. */
  private medicareOf(rank: number): number {
    if (!this.compared || !this.keys || rank === unknownProvider) return 0
    return this.compared.amount(this.last.subject, this.keys.localityOf(this.keys.keyOf(rank))) ?? 0
  }
}

/** Names and directory facts of the providers that entries name; names of TINs that no file gives one. */
async function stageProviders(engine: Engine, { walk, names, signal }: RowFileOptions): Promise<void> {
  const { attributes } = walk.sources
  const npiAppender = await engine.appender('npis', ['f64', 'text', 'text', 'text', 'text', 'text'])
  const distinct = 'select npi, any_value(rank) as rank from entries where npi > 0 group by npi order by npi'
  for await (const some of gathered(engine.columns(distinct, [], { signal }), namesAtOnce)) {
    const npis = some.map(([npi]) => Number(npi))
    const found = await names.npis(npis)
    const fact = (read: (rank: number) => string) =>
      some.map(([, rank]) => (Number(rank) === unknownProvider ? null : read(Number(rank)) || null))
    npiAppender.add(
      [
        npis,
        npis.map((npi) => found.get(npi) ?? null),
        fact((rank) => attributes.states[attributes.state[rank]!]!),
        fact((rank) => zipText(attributes.zip[rank]!)),
        fact((rank) => attributes.taxonomies[attributes.taxonomy[rank]!]!),
        fact((rank) => attributes.entityTypes[attributes.entityType[rank]!]!),
      ],
      npis.length,
    )
  }
  npiAppender.close()
  await engine.run('create table tin_names (tin double, name varchar)')
  const tinAppender = await engine.appender('tin_names', ['f64', 'text'])
  const nameless = 'select distinct tin from tins where name is null and tin is not null order by tin'
  for await (const some of gathered(engine.columns(nameless, [], { signal }), namesAtOnce)) {
    const tins = some.map(([tin]) => Number(tin))
    const found = await names.tins(tins)
    const known = tins.filter((tin) => found.has(tin))
    tinAppender.add([known, known.map((tin) => found.get(tin)!)], known.length)
  }
  tinAppender.close()
  await engine.run(
    'update tins set name = n.name from tin_names n where tins.tin = n.tin and tins.name is null',
  )
}

/** Rows out of column chunks, some at a time. */
async function* gathered(
  chunks: AsyncIterable<readonly (readonly unknown[])[]>,
  most: number,
): AsyncGenerator<unknown[][]> {
  let rows: unknown[][] = []
  for await (const columns of chunks)
    for (let at = 0; at < (columns[0]?.length ?? 0); at++) {
      rows.push(columns.map((column) => column[at]))
      if (rows.length < most) continue
      yield rows
      rows = []
    }
  if (rows.length > 0) yield rows
}
