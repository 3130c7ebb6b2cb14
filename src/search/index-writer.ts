import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ColumnsWriter } from './columns.ts'
import { vocabularyBlock } from './vocabulary.ts'
import { nameKey, words } from './words.ts'

/** One thing to be found: a provider, a hospital, a taxpayer. */
export interface Entry {
  /** Its identifier as a number; no two entries share one. */
  readonly key: number
  /** What it is called, the display name first. */
  readonly names: readonly string[]
  /** What people may type beside a name: a city, a state, a credential. Found, and never held against a name. */
  readonly beside: readonly string[]
  /** Identifiers that lead to it beside its own, such as `t123456789` for a TIN. */
  readonly codes: readonly string[]
  readonly facets: Readonly<Record<string, readonly string[]>>
  /** What answers are made of. */
  readonly record: string
}

/** The longest beginning of a word that has a posting list of its own; longer ones are completed by the vocabulary. */
export const prefixLettersMax = 4
export const prefixToken = (letters: string) => `*${letters}`
export const nameToken = (key: string) => `=${key}`
/** Where the names of an entry end and the words beside them begin. */
export const besideMark = '~'

const rowBits = 28n
const rowMask = (1n << rowBits) - 1n
const hashBytes = 32 * 1024 * 1024

/**
 * Writes an index from entries that arrive in order of rank: the first is what most people mean.
 * Row numbers are ranks, so a posting list read from its start yields the likeliest first and can stop early.
 */
export class IndexWriter {
  readonly #folder: string
  readonly #db: DatabaseSync
  readonly #postings: StatementSync
  readonly #names: StatementSync
  readonly #records: StatementSync
  readonly #codes: StatementSync
  readonly #columns: ColumnsWriter
  readonly #words = new Map<string, { count: number; tokens: string | undefined }>()

  constructor(folder: string, facets: readonly string[]) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    this.#columns = new ColumnsWriter(facets)
    this.#db = new DatabaseSync(join(folder, 'index.sqlite'))
    // The folder is thrown away when the build fails, so nothing here needs a journal.
    this.#db.exec(`
      pragma page_size = 8192;
      pragma journal_mode = off;
      pragma synchronous = off;
      pragma locking_mode = exclusive;
      pragma temp_store = file;
      pragma cache_size = -32768;
      create virtual table postings using fts5(
        words, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_=*'"
      );
      insert into postings(postings, rank) values ('automerge', 0);
      insert into postings(postings, rank) values ('crisismerge', 1999);
      insert into postings(postings, rank) values ('hashsize', ${hashBytes});
      create table names(row integer primary key, text text not null);
      create table records(row integer primary key, record text not null);
      create table arriving(code text not null, row integer not null);
      begin`)
    this.#postings = this.#db.prepare('insert into postings(rowid, words) values (?, ?)')
    this.#names = this.#db.prepare('insert into names(row, text) values (?, ?)')
    this.#records = this.#db.prepare('insert into records(row, record) values (?, ?)')
    this.#codes = this.#db.prepare('insert into arriving(code, row) values (?, ?)')
  }

  get rows(): number {
    return this.#columns.rows
  }

  add(entry: Entry): void {
    const row = this.#columns.rows
    let tokens = this.#columns.add(entry.key, entry.facets)
    const beside = [...new Set(entry.beside.flatMap(words))]
    const named = entry.names.map(words)
    const all = new Set(beside)
    for (const name of named) {
      for (const word of name) all.add(word)
      if (name.length > 0) tokens += ` ${nameToken(nameKey(name))}`
    }
    for (const word of all) tokens += this.#tokensOf(word)
    this.#postings.run(row, tokens)
    const text = named.map((name) => name.join(' ')).join('|')
    this.#names.run(row, beside.length > 0 ? `${text}${besideMark}${beside.join(' ')}` : text)
    this.#records.run(row, entry.record)
    for (const code of entry.codes) this.#codes.run(code, row)
  }

  /** The word and its beginnings, as the posting lists know them. Words met before are remembered whole. */
  #tokensOf(word: string): string {
    const known = this.#words.get(word)
    if (known === undefined) {
      this.#words.set(word, { count: 1, tokens: undefined })
      return tokensOf(word)
    }
    known.count++
    known.tokens ??= tokensOf(word)
    return known.tokens
  }

  /** Sorts, packs and checks what came, and makes it durable. The folder is complete afterwards. */
  finish(): void {
    this.#writeKeys()
    this.#db.exec(`
      create table codes(code text not null, row integer not null, primary key (code, row)) without rowid;
      insert or ignore into codes select code, row from arriving order by code, row;
      drop table arriving;
      insert into postings(postings) values ('optimize');
      commit;`)
    this.#check()
    this.#db.close()
    fsynced(join(this.#folder, 'index.sqlite'))
    written(join(this.#folder, 'columns.bin'), this.#columns.block())
    const counts = new Map(this.#words.entries().map(([word, { count }]) => [word, count]))
    this.#words.clear()
    written(join(this.#folder, 'words.bin'), [vocabularyBlock(counts)])
    written(join(this.#folder, 'prefixes.bin'), [vocabularyBlock(prefixCounts(counts))])
  }

  /** Gives up: closes the file and leaves the folder to whoever made it. */
  abandon(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  #writeKeys(): void {
    this.#db.exec('create table keys(key integer primary key, row integer not null)')
    const keys = this.#columns.keys()
    // Key and row in one number sort without a call per comparison.
    const sorted = BigUint64Array.from(keys, (key, row) => (BigInt(key) << rowBits) | BigInt(row)).sort()
    const insert = this.#db.prepare('insert into keys(key, row) values (?, ?)')
    for (const both of sorted) insert.run(Number(both >> rowBits), Number(both & rowMask))
  }

  #check(): void {
    const one = (question: string) => Number(Object.values(this.#db.prepare(question).get() ?? {})[0])
    const rows = this.#columns.rows
    for (const table of ['names', 'records', 'keys']) {
      const held = one(`select count(*) from ${table}`)
      if (held !== rows) throw new Error(`the index holds ${held} ${table} for ${rows} entries`)
    }
    if (rows === 0) return
    const last = this.#db.prepare('select text from names where row = ?').get(rows - 1)?.['text']
    const word = typeof last === 'string' ? /[a-z0-9]+/.exec(last)?.[0] : undefined
    if (word === undefined) return
    const held = this.#db.prepare(
      'select rowid from postings where postings match ? order by rowid desc limit 1',
    )
    if (Number(held.get(`"${word}"`)?.['rowid']) !== rows - 1)
      throw new Error(`the last entry is not in the posting list of "${word}"`)
  }
}

function tokensOf(word: string): string {
  let tokens = ` ${word}`
  for (let length = Math.min(prefixLettersMax, word.length); length > 0; length--)
    tokens += ` ${prefixToken(word.slice(0, length))}`
  return tokens
}

/** How many entries have a word with each indexed beginning; entries with several such words count more than once. */
function prefixCounts(counts: ReadonlyMap<string, number>): Map<string, number> {
  const prefixes = new Map<string, number>()
  for (const [word, count] of counts)
    for (let length = Math.min(prefixLettersMax, word.length); length > 0; length--) {
      const prefix = word.slice(0, length)
      prefixes.set(prefix, (prefixes.get(prefix) ?? 0) + count)
    }
  return prefixes
}

function written(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, 'w')
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += writeSync(file, part, at)
  }
  fsyncSync(file)
  closeSync(file)
}

function fsynced(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
