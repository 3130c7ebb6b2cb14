import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { TextDecoderStream } from 'node:stream/web'
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { Findings } from './findings.ts'
import type { ReferenceFile } from './unpack.ts'

/** The text of a file as a stream, whatever its encoding: all of it, or its first bytes. */
function textOf(file: ReferenceFile, bytes = Infinity): Readable {
  const end = bytes - 1
  if (file.encoding === 'utf-8') return createReadStream(file.path, { encoding: 'utf8', end })
  if (file.encoding === 'latin-1') return createReadStream(file.path, { encoding: 'latin1', end })
  const decoder = new TextDecoderStream('utf-16le')
  return Readable.from(
    Readable.toWeb(createReadStream(file.path, { end })).pipeThrough(decoder as never) as never,
  )
}

export interface TextLine {
  readonly line: number
  readonly text: string
}

/** The lines of a text file, counted from 1, without a byte-order mark. */
export async function* linesOf(file: ReferenceFile, bytes?: number): AsyncGenerator<TextLine> {
  let line = 0
  const lines = createInterface({ input: textOf(file, bytes), crlfDelay: Infinity })
  try {
    for await (const text of lines)
      yield { line: ++line, text: line === 1 ? text.replace(/^\uFEFF/, '') : text }
  } finally {
    lines.close()
  }
}

export interface TextRecord {
  /** Line on which the record ends. */
  readonly line: number
  readonly cells: readonly string[]
}

// A quote that never closes would make the rest of a file one record.
const recordBytesMax = 1_000_000

/** The records of comma- or tab-separated text. Cells are trimmed. A record whose quotes do not close is left out. */
export async function* recordsOf(
  file: ReferenceFile,
  delimiter: ',' | '\t',
  findings?: Findings,
  bytes?: number,
): AsyncGenerator<TextRecord> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    trim: true,
    bom: true,
    info: true,
    max_record_size: recordBytesMax,
    on_skip: (error) => {
      findings?.problem(file.name, 'a record that cannot be read is left out', {
        line: Number(error?.['lines']),
      })
      return undefined
    },
  })
  // An error of the file reaches the loop below through the parser.
  pipeline(textOf(file, bytes), parser, () => undefined)
  for await (const { info, record } of parser as AsyncIterable<{ info: { lines: number }; record: string[] }>)
    yield { line: info.lines, cells: record }
}

/** The beginning of a file in both readings: what its kind is judged by. */
export interface FileHead {
  readonly lines: readonly string[]
  readonly records: readonly TextRecord[]
  readonly delimiter: ',' | '\t'
}

const headRows = 60
// A file may be one endless line; its kind shows before this.
const headBytes = 1_000_000

export async function headOfText(file: ReferenceFile): Promise<FileHead> {
  const lines: string[] = []
  for await (const { text } of linesOf(file, headBytes)) if (lines.push(text) >= headRows) break
  const tabs = lines.filter((text) => text.includes('\t')).length
  const delimiter = tabs > lines.length / 2 ? '\t' : ','
  const records: TextRecord[] = []
  if (lines.some((text) => text.includes(delimiter)))
    for await (const record of recordsOf(file, delimiter, undefined, headBytes))
      if (records.push(record) >= headRows) break
  return { lines, records, delimiter }
}
