import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Columns } from './columns.ts'
import { Frequent } from './frequent.ts'
import { Keys } from './keys.ts'
import { Vocabulary } from './vocabulary.ts'

/** SQLite maps at most this much of a file; beyond it, it reads. */
const mappedMax = 0x7f_ff_00_00

/** The parts of an index that live in memory, once for all threads. */
export interface SharedIndex {
  readonly folder: string
  readonly columns: SharedArrayBuffer
  readonly words: SharedArrayBuffer
  readonly prefixes: SharedArrayBuffer
}

/** Reads the shared parts of an index folder. Blocks while it reads, so it belongs in a worker. */
export function sharedIndex(folder: string): SharedIndex {
  return {
    folder,
    columns: sharedFile(join(folder, 'columns.bin')),
    words: sharedFile(join(folder, 'words.bin')),
    prefixes: sharedFile(join(folder, 'prefixes.bin')),
  }
}

function sharedFile(path: string): SharedArrayBuffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const block = new SharedArrayBuffer(size)
    const bytes = new Uint8Array(block)
    for (let at = 0; at < size;) {
      const read = readSync(file, bytes, at, Math.min(size - at, 1 << 24), at)
      if (read === 0) throw new Error(`${path} ended after ${at} of ${size} bytes`)
      at += read
    }
    return block
  } finally {
    closeSync(file)
  }
}

/** One thread's hands on an index: the shared parts, and a connection of its own to the posting lists and records. */
export class OpenedIndex {
  readonly folder: string
  readonly columns: Columns
  readonly keys: Keys
  readonly vocabulary: Vocabulary
  /** Lists of the words that many entries bear; those words do not stand in the posting lists. */
  readonly frequent: Frequent
  readonly #prefixes: Vocabulary
  readonly #db: DatabaseSync
  readonly #postings: StatementSync
  readonly #names: StatementSync
  readonly #record: StatementSync
  readonly #row: StatementSync
  readonly #keysBetween: StatementSync
  readonly #codes: StatementSync
  readonly #codesBetween: StatementSync

  constructor(shared: SharedIndex) {
    this.folder = shared.folder
    this.columns = new Columns(shared.columns)
    this.keys = new Keys(shared.folder, this.columns.rows)
    this.vocabulary = new Vocabulary(shared.words)
    this.#prefixes = new Vocabulary(shared.prefixes)
    this.frequent = new Frequent(shared.folder, this.columns.rows)
    // The file never changes once it has its name, so SQLite need neither lock it nor look for a journal.
    const file = pathToFileURL(join(shared.folder, 'index.sqlite'))
    file.searchParams.set('immutable', '1')
    this.#db = new DatabaseSync(file, { readOnly: true })
    // Read through the page cache, which all threads share, instead of copying pages into a cache of each.
    this.#db.exec(`pragma mmap_size = ${mappedMax}; pragma cache_size = -2048`)
    this.#postings = this.#arrays('select rowid from postings where postings match ? limit ?')
    this.#names = this.#arrays('select text from names where row = ?')
    this.#record = this.#arrays('select record from records where row = ?')
    this.#row = this.#arrays('select row from names where key = ?')
    this.#keysBetween = this.#arrays('select row from names where key between ? and ? order by key limit ?')
    this.#codes = this.#arrays('select row from codes where code = ? limit ?')
    this.#codesBetween = this.#arrays('select row from codes where code >= ? and code < ? limit ?')
  }

  get rows(): number {
    return this.columns.rows
  }

  /** About how many entries have a word that begins so; 0 beyond the beginnings that are indexed. */
  prefixCount(letters: string): number {
    return this.#prefixes.count(letters)
  }

  /** The rows that a posting-list expression yields, in rank order. */
  *matching(expression: string, most: number): Generator<number> {
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- rows are arrays, which the typings do not know
    for (const row of this.#postings.iterate(expression, most) as unknown as Iterable<[number]>) yield row[0]
  }

  /** The words of an entry's names, as the index writer wrote them. */
  names(row: number): string {
    return String(first(this.#names.get(row)))
  }

  /** The record of an entry, as its builder wrote it. */
  record(row: number): string {
    return String(first(this.#record.get(row)))
  }

  /** The row of the entry with this identifier. */
  rowOf(key: number): number | undefined {
    const row = first(this.#row.get(key))
    return row === undefined ? undefined : Number(row)
  }

  /** Rows of entries whose identifier lies between two numbers, in the order of identifiers. */
  rowsBetween(from: number, through: number, most: number): number[] {
    return this.#keysBetween.all(from, through, most).map((found) => Number(first(found)))
  }

  /** Rows of entries that another identifier leads to, in rank order. */
  rowsOfCode(code: string, most: number): number[] {
    return this.#codes.all(code, most).map((found) => Number(first(found)))
  }

  /** Rows of entries that an identifier with this beginning leads to, the lowest identifiers first. */
  rowsOfCodePrefix(prefix: string, most: number): number[] {
    return this.#codesBetween.all(prefix, `${prefix}~`, most).map((found) => Number(first(found)))
  }

  close(): void {
    this.keys.close()
    this.frequent.close()
    this.#db.close()
  }

  #arrays(statement: string): StatementSync {
    const prepared = this.#db.prepare(statement)
    prepared.setReturnArrays(true)
    return prepared
  }
}

const first = (row: unknown): unknown => (Array.isArray(row) ? row[0] : undefined)
