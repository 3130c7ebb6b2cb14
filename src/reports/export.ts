import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Download } from '../operations/download.ts'
import type { ReportColumn } from '../operations/report-columns.ts'
import type { exportFormats } from '../operations/report-rows.ts'
import type { Engine, QueryOptions } from '../warehouse/engine.ts'
import type { Look } from './look.ts'
import { quotedPath } from './row-file.ts'
import { RowRelation, rowCount, shownValue } from './row-page.ts'
import { workbook, type CellValue } from './workbook.ts'

export type ExportFormat = (typeof exportFormats)[number]

export interface ExportQuestion {
  readonly format: ExportFormat
  readonly name: string
  /** Where files are put that must be whole before they are sent. */
  readonly folder: string
}

const types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** All rows of a look as a file, sent as it is read. `end` is called when it has been sent, or the reader has gone. */
export async function exported(
  engine: Engine,
  look: Look,
  { format, name, folder }: ExportQuestion,
  options: QueryOptions,
  end: () => void,
): Promise<Download> {
  const relation = new RowRelation(look, { rateAggregation: 'none' })
  const fileName = `${name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_').trim() || 'report'}.${format}`
  const of = (stream: AsyncIterable<Uint8Array | string>, more = {}) =>
    new Download(types[format], fileName, ended(stream, end), more)
  if (format === 'parquet') {
    const path = join(folder, `${randomUUID()}.parquet`)
    await mkdir(folder, { recursive: true })
    const remove = () => rm(path, { force: true })
    try {
      await engine.run(
        `copy (${look.sql(`select ${parquetColumns(relation.columns)} from used order by "row"`)}) to ${quotedPath(path)} (format parquet, compression zstd)`,
        look.parameters.values,
        options,
      )
      const { size } = await stat(path)
      return of(removedAfter(createReadStream(path), remove), { bytes: size })
    } catch (error) {
      await remove()
      throw error
    }
  }
  const chunks = cellChunks(engine, look, relation, options)
  if (format === 'csv') return of(csv(relation.columns, chunks))
  const rows = await rowCount(engine, look, relation, options)
  return of(
    workbook(
      relation.columns.map(({ label }) => label),
      chunks,
      rows,
    ),
  )
}

async function* ended(
  stream: AsyncIterable<Uint8Array | string>,
  end: () => void,
): AsyncGenerator<Uint8Array | string> {
  try {
    yield* stream
  } finally {
    end()
  }
}

async function* removedAfter(stream: AsyncIterable<Uint8Array>, remove: () => Promise<void>) {
  try {
    yield* stream
  } finally {
    await remove()
  }
}

async function* cellChunks(
  engine: Engine,
  look: Look,
  { columns, selected }: RowRelation,
  options: QueryOptions,
): AsyncGenerator<CellValue[][]> {
  const statement = look.sql(`select ${selected} from used order by "row"`)
  for await (const chunk of engine.columns(statement, look.parameters.values, options))
    yield columns.map((column, at) => chunk[at]!.map((value) => shownValue(column, value)))
}

const parquetColumns = (columns: readonly ReportColumn[]) =>
  columns
    .map(({ id, kind }) =>
      kind === 'dollars' || kind === 'percent'
        ? `(${id}::decimal(18, 0) * 0.0001::decimal(5, 4))::decimal(18, 4) as ${id}`
        : id,
    )
    .join(', ')

const pieceLength = 64 * 1_024

async function* csv(
  columns: readonly ReportColumn[],
  chunks: AsyncIterable<readonly (readonly CellValue[])[]>,
): AsyncGenerator<string> {
  let piece = `${columns.map(({ id }) => id).join(',')}\r\n`
  for await (const chunk of chunks)
    for (let row = 0; row < (chunk[0]?.length ?? 0); row++) {
      piece += `${chunk.map((column) => csvCell(column[row] ?? null)).join(',')}\r\n`
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
  yield piece
}

/** A value as RFC 4180 writes it. A text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvCell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
