import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** A stage folder of the reader: flat columns of fixed width beside a `header.json`. docs/staged-files.md describes it. */
export class Stage {
  readonly folder: string
  readonly rows: Readonly<Record<string, number>>
  private textEnds: Float64Array | undefined
  private textBytes: Buffer | undefined

  constructor(folder: string) {
    this.folder = folder
    this.rows = (
      JSON.parse(readFileSync(join(folder, 'header.json'), 'utf8')) as { rows: Record<string, number> }
    ).rows
  }

  /** A whole column of bytes or 32-bit numbers. */
  u32(table: string, column: string): Uint32Array {
    const bytes = this.bytes(table, column, 'u32')
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  }

  u8(table: string, column: string): Uint8Array {
    return this.bytes(table, column, 'u8')
  }

  /** A whole column of 64-bit numbers, all below 2^53. */
  i64(table: string, column: string): Float64Array {
    return wholeNumbers(this.bytes(table, column, 'i64'))
  }

  text(id: number): string {
    this.textEnds ??= this.i64('texts', 'end')
    this.textBytes ??= this.bytes('texts', 'bytes', 'u8')
    return this.textBytes.toString('utf8', id === 0 ? 0 : this.textEnds[id - 1], this.textEnds[id])
  }

  /** A column too long to hold, read from front to back. */
  stream(table: string, column: string, type: 'u32' | 'i64'): ColumnStream {
    return new ColumnStream(this.path(table, column, type), type)
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

/** Fills the buffer from the file, however many reads it takes. */
export function readFully(descriptor: number, bytes: Uint8Array, position: number): number {
  let done = 0
  while (done < bytes.length) {
    const got = readSync(descriptor, bytes, done, bytes.length - done, position + done)
    if (got === 0) break
    done += got
  }
  return done
}

function wholeNumbers(bytes: Buffer): Float64Array {
  const halves = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const values = new Float64Array(halves.length / 2)
  for (let i = 0; i < values.length; i++)
    values[i] = (halves[2 * i + 1]! | 0) * 0x1_0000_0000 + halves[2 * i]!
  return values
}

const windowValues = 65_536

/** Reads a column in windows of some hundred kilobytes. */
export class ColumnStream {
  private readonly descriptor: number | undefined
  private readonly type: 'u32' | 'i64'
  private readonly bytes: Buffer
  private window: Uint32Array | Float64Array = new Uint32Array(0)
  private at = 0
  private position = 0

  constructor(path: string, type: 'u32' | 'i64') {
    this.type = type
    this.descriptor = existsSync(path) ? openSync(path, 'r') : undefined
    this.bytes = Buffer.from(new ArrayBuffer(windowValues * (type === 'u32' ? 4 : 8)))
  }

  next(): number {
    if (this.at === this.window.length) this.fill()
    return this.window[this.at++]!
  }

  private fill(): void {
    const got = this.descriptor === undefined ? 0 : readFully(this.descriptor, this.bytes, this.position)
    if (got === 0) throw new Error('A staged column is shorter than its header says.')
    this.position += got
    this.at = 0
    const part = this.bytes.subarray(0, got)
    this.window =
      this.type === 'u32' ? new Uint32Array(part.buffer, part.byteOffset, got / 4) : wholeNumbers(part)
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor)
  }
}
