import {
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'

type ColumnKind =
  | { readonly kind: 'text' }
  | { readonly kind: 'count'; readonly bits: 8 | 16 | 32 }
  | { readonly kind: 'flag' }
  | { readonly kind: 'date' }
  | { readonly kind: 'decimal'; readonly width: number; readonly scale: number }

const text = { kind: 'text' } as const
const flag = { kind: 'flag' } as const
const date = { kind: 'date' } as const
const small = { kind: 'count', bits: 8 } as const
const medium = { kind: 'count', bits: 16 } as const
const decimal = (width: number, scale: number) => ({ kind: 'decimal', width, scale }) as const

/** A value of a row: decimals are scaled whole numbers, dates `YYYY-MM-DD`. */
export type Cell = string | number | bigint | boolean | undefined

/** Every table of the Medicare build. Decimals are exact; `source` names the row of `sources` that a row came from. */
export const medicareTables = {
  relative_values: {
    year: medium,
    release: text,
    code: text,
    modifier: text,
    status: text,
    work: decimal(9, 2),
    non_facility_pe: decimal(9, 2),
    facility_pe: decimal(9, 2),
    malpractice: decimal(9, 2),
    non_facility_na: flag,
    facility_na: flag,
    global_days: text,
    conversion_factor: decimal(9, 4),
    source: medium,
  },
  gpcis: {
    year: medium,
    release: text,
    carrier: text,
    locality: text,
    state: text,
    name: text,
    work: decimal(6, 3),
    practice_expense: decimal(6, 3),
    malpractice: decimal(6, 3),
    source: medium,
  },
  conversion_factors: {
    year: medium,
    from_date: date,
    through_date: date,
    participant: text,
    factor: decimal(9, 4),
    work_adjuster: decimal(5, 4),
    source: medium,
  },
  anesthesia_factors: {
    year: medium,
    release: text,
    carrier: text,
    locality: text,
    state: text,
    name: text,
    factor: decimal(9, 4),
    source: medium,
  },
  anesthesia_base_units: { year: medium, code: text, base_units: decimal(5, 1), source: medium },
  opps_caps: {
    year: medium,
    release: text,
    code: text,
    modifier: text,
    carrier: text,
    locality: text,
    facility: decimal(12, 2),
    non_facility: decimal(12, 2),
    source: medium,
  },
  asp_limits: {
    year: medium,
    quarter: small,
    code: text,
    dosage: text,
    payment_limit: decimal(14, 3),
    source: medium,
  },
  ms_drg_weights: {
    fiscal_year: medium,
    code: text,
    mdc: text,
    type: text,
    weight: decimal(9, 4),
    weight_before_cap: decimal(9, 4),
    geometric_los: decimal(6, 1),
    arithmetic_los: decimal(6, 1),
    source: medium,
  },
  zip_localities: {
    year: medium,
    quarter: small,
    zip: text,
    state: text,
    carrier: text,
    locality: text,
    rural: text,
    plus_four: flag,
    source: medium,
  },
  code_groups: { code: text, category: text, subcategory: text, family: text, source: medium },
} as const satisfies Record<string, Readonly<Record<string, ColumnKind>>>

export type MedicareTable = keyof typeof medicareTables

/** A row of a table by column name. A column left out is null. */
export type MedicareRow<Table extends MedicareTable> = {
  readonly [Column in keyof (typeof medicareTables)[Table]]?: Cell
}

/** What makes two rows the same fact: the later source replaces the earlier. */
export const medicareKeys: Record<MedicareTable, readonly string[]> = {
  relative_values: ['year', 'release', 'code', 'modifier'],
  gpcis: ['year', 'release', 'carrier', 'locality'],
  conversion_factors: ['year', 'from_date', 'participant'],
  anesthesia_factors: ['year', 'release', 'carrier', 'locality'],
  anesthesia_base_units: ['year', 'code'],
  opps_caps: ['year', 'release', 'code', 'modifier', 'carrier', 'locality'],
  asp_limits: ['year', 'quarter', 'code'],
  ms_drg_weights: ['fiscal_year', 'code'],
  zip_localities: ['year', 'quarter', 'zip'],
  code_groups: ['code'],
}

export const medicareTableNames = Object.keys(medicareTables) as MedicareTable[]

function sqlType(column: ColumnKind): string {
  switch (column.kind) {
    case 'text':
      return 'varchar'
    case 'flag':
      return 'boolean'
    case 'date':
      return 'date'
    case 'count':
      return { 8: 'utinyint', 16: 'usmallint', 32: 'uinteger' }[column.bits]
    case 'decimal':
      return `decimal(${column.width}, ${column.scale})`
  }
}

const columnsOf = (table: MedicareTable) =>
  Object.entries(medicareTables[table]) as unknown as readonly (readonly [string, ColumnKind])[]

export const createTable = (table: MedicareTable, schema = 'main') =>
  `create table ${schema}.${table} (${columnsOf(table)
    .map(([name, column]) => `${name} ${sqlType(column)}`)
    .join(', ')})`

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>

// The engine's vector size; a chunk holds no more.
const chunkRows = 2_048

/** Appends rows to one table of a build that is being made, a chunk of columns at a time. */
export class TableWriter<Table extends MedicareTable> {
  readonly #columns: readonly (readonly [string, ColumnKind])[]
  readonly #types: DuckDBType[]
  readonly #appender: Appender
  #cells: DuckDBValue[][]

  private constructor(table: Table, appender: Appender) {
    this.#columns = columnsOf(table)
    this.#types = this.#columns.map((_, index) => appender.columnType(index))
    this.#cells = this.#columns.map(() => [])
    this.#appender = appender
  }

  static async open<Table extends MedicareTable>(
    connection: DuckDBConnection,
    table: Table,
    schema = 'main',
  ): Promise<TableWriter<Table>> {
    return new TableWriter(table, await connection.createAppender(table, schema))
  }

  append(row: MedicareRow<Table>): void {
    for (const [index, [name, column]] of this.#columns.entries())
      this.#cells[index]?.push(valueOf((row as Record<string, Cell>)[name], column))
    if (this.#cells[0]?.length === chunkRows) this.#flush()
  }

  close(): void {
    this.#flush()
    this.#appender.closeSync()
  }

  #flush(): void {
    const rows = this.#cells[0]?.length ?? 0
    if (rows === 0) return
    const chunk = DuckDBDataChunk.create(this.#types, rows)
    chunk.setColumns(this.#cells)
    this.#appender.appendDataChunk(chunk)
    this.#cells = this.#columns.map(() => [])
  }
}

function valueOf(cell: Cell, column: ColumnKind): DuckDBValue {
  if (cell === undefined) return null
  switch (column.kind) {
    case 'text':
      return String(cell)
    case 'flag':
      return Boolean(cell)
    case 'date':
      return new DuckDBDateValue(daysOf(String(cell)))
    case 'count':
      return Number(cell)
    case 'decimal':
      return new DuckDBDecimalValue(BigInt(cell), column.width, column.scale)
  }
}

const dayMs = 86_400_000
const daysOf = (isoDate: string) => Date.parse(`${isoDate}T00:00:00Z`) / dayMs
