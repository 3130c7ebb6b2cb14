import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFully } from './read-fully.ts'
import { StagedTexts } from './staged-texts.ts'

/** A stage folder of the reader: flat columns of fixed width beside a `header.json`. docs/staged-files.md describes it. */
export class Stage {
  readonly folder: string
  readonly rows: Readonly<Record<string, number>>
  /** Its groups hold only providers that were asked for. */
  readonly providersAsked: boolean
  private texts: StagedTexts | undefined

  constructor(folder: string) {
    this.folder = folder
    const header = JSON.parse(readFileSync(join(folder, 'header.json'), 'utf8')) as {
      rows: Record<string, number>
      providersAsked?: true
    }
    this.rows = header.rows
    this.providersAsked = header.providersAsked ?? false
  }

  /** A whole column of bytes or 32-bit numbers. */
  u32(table: string, column: string): Uint32Array {
    return words(this.bytes(table, column, 'u32'))
  }

  u8(table: string, column: string): Uint8Array {
    return this.bytes(table, column, 'u8')
  }

  /** A whole column of 64-bit numbers, all below 2^53. */
  i64(table: string, column: string): Float64Array {
    return wholeNumbers(this.bytes(table, column, 'i64'))
  }

  /** The same as two words each, the lower half first. */
  i64Words(table: string, column: string): Uint32Array {
    return words(this.bytes(table, column, 'i64'))
  }

  text(id: number): string {
    this.texts ??= new StagedTexts(this.folder)
    return this.texts.text(id)
  }

  /** A column too long to hold, read from front to back. */
  words(table: string, column: string, type: 'u32' | 'i64'): ColumnWords {
    return new ColumnWords(this.path(table, column, type), type)
  }

  private path(table: string, column: string, type: string): string {
    return join(this.folder, `${table}.${column}.${type}`)
  }

  private bytes(table: string, column: string, type: string): Buffer {
    const path = this.path(table, column, type)
    if (!existsSync(path)) return Buffer.alloc(0)
    const descriptor = openSync(path, 'r')
    try {
      // Typed arrays over the bytes need an aligned start, which pooled buffers do not promise.
      const bytes = Buffer.from(new ArrayBuffer(fstatSync(descriptor).size))
      readFully(descriptor, bytes, 0)
      return bytes
    } finally {
      closeSync(descriptor)
    }
  }
}

const words = (bytes: Buffer) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)

/** A number of 64 bits, below 2^53, from its two words. */
const wholeNumber = (halves: Uint32Array, row: number) =>
  (halves[2 * row + 1]! | 0) * 0x1_0000_0000 + halves[2 * row]!

function wholeNumbers(bytes: Buffer): Float64Array {
  const halves = words(bytes)
  const values = new Float64Array(halves.length / 2)
  for (let i = 0; i < values.length; i++) values[i] = wholeNumber(halves, i)
  return values
}

/** Reads a column some rows at a time, as words of 32 bits: a number of 64 bits is two of them, the lower half first. */
export class ColumnWords {
  private readonly descriptor: number | undefined
  private readonly wordsPerRow: number
  private words = new Uint32Array(0)
  private position = 0

  constructor(path: string, type: 'u32' | 'i64') {
    this.wordsPerRow = type === 'u32' ? 1 : 2
    this.descriptor = existsSync(path) ? openSync(path, 'r') : undefined
  }

  /** The words of the next rows; good until the ones after them are asked for. */
  next(rows: number): Uint32Array {
    const count = rows * this.wordsPerRow
    if (this.words.length < count) this.words = new Uint32Array(count)
    const bytes = new Uint8Array(this.words.buffer, 0, count * 4)
    const got = this.descriptor === undefined ? 0 : readFully(this.descriptor, bytes, this.position)
    if (got < bytes.length) throw new Error('A staged column is shorter than its header says.')
    this.position += got
    return this.words
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor)
  }
}
