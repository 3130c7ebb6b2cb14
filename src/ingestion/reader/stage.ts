import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { stagedColumns, type ColumnType, type StagedFile, type StagedTable } from './output.ts'

const widths: Record<ColumnType, number> = { u8: 1, u32: 4, i64: 8 }
const twoTo32 = 4_294_967_296

/** Values that a column gathers before it writes: of bytes and of numbers. */
const bufferedBytes = 1 << 16
export const bufferedNumbers = 1 << 13

/** The file of a column inside a stage. */
export const columnFile = (table: string, column: string, type: ColumnType) => `${table}.${column}.${type}`

/** Where a column gathers its values, if others write there too: a place in shared memory, how many fit, and where they are counted. */
export interface ColumnMemory {
  readonly buffer: ArrayBuffer
  readonly at: number
  readonly rows: number
  readonly countAt: number
}

/** A column that grows at its end: a buffer, and a file behind it. Without a file it only counts. */
export class Column {
  readonly #width: number
  readonly #capacity: number
  readonly #file: number | undefined
  readonly #memory: ColumnMemory | undefined
  /** The buffer, made when the first value comes: most columns of a small file stay empty. */
  #bytes = new Uint8Array(0)
  #words = new Uint32Array(0)
  /** How many values are in the buffer, and how many in the file already. Whoever shares the buffer counts here too. */
  readonly #buffered: Int32Array
  readonly #flushed: Float64Array

  constructor(type: ColumnType, path: string | undefined, memory?: ColumnMemory) {
    this.#width = widths[type]
    this.#capacity = memory?.rows ?? (type === 'u8' ? bufferedBytes : bufferedNumbers)
    this.#memory = memory
    const { buffer, countAt } = memory ?? { buffer: new ArrayBuffer(16), countAt: 0 }
    this.#buffered = new Int32Array(buffer, countAt, 1)
    this.#flushed = new Float64Array(buffer, countAt + 8, 1)
    if (memory) this.#makeBuffer()
    this.#file = path === undefined ? undefined : openSync(path, 'w+')
  }

  #makeBuffer(): void {
    const bytes = this.#capacity * this.#width
    const { buffer, at } = this.#memory ?? { buffer: new ArrayBuffer(bytes), at: 0 }
    this.#bytes = new Uint8Array(buffer, at, bytes)
    this.#words = new Uint32Array(buffer, at, bytes / 4)
  }

  /** How many values it has. */
  get length(): number {
    return this.#flushed[0]! + this.#buffered[0]!
  }

  /** The place for another value in the buffer, which is made or emptied first where it has to be. */
  #next(): number {
    if (this.#buffered[0] === this.#capacity || this.#bytes.length === 0) this.flush()
    return this.#buffered[0]!++
  }

  pushByte(value: number): void {
    const at = this.#next()
    this.#bytes[at] = value
  }

  pushWord(value: number): void {
    const at = this.#next()
    this.#words[at] = value
  }

  /** Appends a whole number, negative or not, below 2^53. */
  pushWhole(value: number): void {
    const at = this.#next() * 2
    const high = Math.floor(value / twoTo32)
    this.#words[at] = value - high * twoTo32
    this.#words[at + 1] = high
  }

  /** Appends values as they lie in memory. */
  pushBytes(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#bytes.length === 0) this.#makeBuffer()
    const used = this.#buffered[0]! * this.#width
    if (used + bytes.length <= this.#bytes.length) {
      this.#bytes.set(bytes, used)
      this.#buffered[0]! += bytes.length / this.#width
      return
    }
    this.flush()
    this.#write(bytes)
    this.#flushed[0]! += bytes.length / this.#width
  }

  /** Forgets all values from `length` on. */
  cut(length: number): void {
    if (length < this.#flushed[0]!) this.#flushed[0] = length
    this.#buffered[0] = length - this.#flushed[0]!
  }

  /** Values that were appended before. Only of a column with a file. */
  read(from: number, to: number): Uint8Array {
    this.flush()
    const bytes = new Uint8Array((to - from) * this.#width)
    if (this.#file !== undefined) readSync(this.#file, bytes, 0, bytes.length, from * this.#width)
    return bytes
  }

  flush(): void {
    const count = this.#buffered[0]!
    if (this.#bytes.length === 0) this.#makeBuffer()
    if (count === 0) return
    this.#write(this.#bytes.subarray(0, count * this.#width))
    this.#flushed[0]! += count
    this.#buffered[0] = 0
  }

  #write(bytes: Uint8Array): void {
    if (this.#file === undefined) return
    for (let at = 0; at < bytes.length;) {
      at += writeSync(this.#file, bytes, at, bytes.length - at, this.#flushed[0]! * this.#width + at)
    }
  }

  close(): void {
    if (this.#buffered[0]! > 0) this.flush()
    if (this.#file === undefined) return
    ftruncateSync(this.#file, this.length * this.#width)
    closeSync(this.#file)
  }
}

type Tables = {
  readonly [Table in StagedTable]: { readonly [Name in keyof (typeof stagedColumns)[Table]]: Column }
}

/** A stage that is being written. Without a folder the columns only count. */
export interface StageWriter {
  readonly tables: Tables
  readonly onDisk: boolean
  /** Writes what is buffered, then `header.json`: a stage with it is whole. */
  finish(file: StagedFile): void
  /** Closes the files and leaves no `header.json`. */
  abandon(): void
}

/** `memories` names the columns, as `table.column`, that gather in shared memory. */
export function writeStage(
  folder: string | undefined,
  memories: ReadonlyMap<string, ColumnMemory> = new Map(),
): StageWriter {
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  const columns: Column[] = []
  const tables = Object.fromEntries(
    Object.entries(stagedColumns).map(([table, types]) => [
      table,
      Object.fromEntries(
        Object.entries(types as Record<string, ColumnType>).map(([name, type]) => {
          const path = folder === undefined ? undefined : join(folder, columnFile(table, name, type))
          const column = new Column(type, path, memories.get(`${table}.${name}`))
          columns.push(column)
          return [name, column]
        }),
      ),
    ]),
  ) as unknown as Tables
  return {
    tables,
    onDisk: folder !== undefined,
    finish(file) {
      for (const column of columns) column.close()
      if (folder !== undefined) writeFileSync(join(folder, 'header.json'), `${JSON.stringify(file)}\n`)
    },
    abandon() {
      for (const column of columns) column.close()
    },
  }
}

/** A finished stage, column by column. */
export interface StageReader {
  readonly file: StagedFile
  bytes(table: StagedTable, column: string): Uint8Array
  words(table: StagedTable, column: string): Uint32Array
  wholes(table: StagedTable, column: string): Float64Array
}

/** Opens a stage whose columns are small enough to be held. Bigger ones are read piece by piece by whoever merges them. */
export function readStage(folder: string): StageReader {
  const path = (table: string, column: string) => {
    const types = stagedColumns[table as StagedTable] as Record<string, ColumnType>
    return join(folder, columnFile(table, column, types[column]!))
  }
  const bytes = (table: StagedTable, column: string) => new Uint8Array(readFileSync(path(table, column)))
  return {
    file: JSON.parse(readFileSync(join(folder, 'header.json'), 'utf8')) as StagedFile,
    bytes,
    words: (table, column) => new Uint32Array(bytes(table, column).buffer),
    wholes: (table, column) => wholeNumbers(bytes(table, column)),
  }
}

/** Numbers from bytes of `i64`, each below 2^53 and so exact. */
export function wholeNumbers(bytes: Uint8Array): Float64Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
  const numbers = new Float64Array(words.length / 2)
  for (let index = 0; index < numbers.length; index++) {
    numbers[index] = (words[index * 2 + 1]! | 0) * twoTo32 + words[index * 2]!
  }
  return numbers
}
