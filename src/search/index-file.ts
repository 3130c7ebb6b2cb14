import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Entries in a row, made ready to be kept: their texts one to a line, so that a thread takes over a few strings. */
export interface Batch {
  /** The row of the first; the others follow it. */
  readonly first: number
  readonly keys: Float64Array
  /** Words under which each stands in the posting lists. */
  readonly tokens: string
  readonly names: string
  readonly records: string
  /** Other identifiers and the rows that they lead to. */
  readonly codes: string
  readonly codeRows: Uint32Array
}

// SQLite counts the rows of its lists only; millions of words that occur once take several times as much.
const hashBytes = 8 * 1024 * 1024
const cacheKb = 16 * 1024

/**
 * The file of an index: posting lists, names, records and identifiers. Written once, in order of rank, and never
 * changed afterwards.
 */
export class IndexFile {
  readonly #path: string
  readonly #db: DatabaseSync
  readonly #postings: StatementSync
  readonly #names: StatementSync
  readonly #records: StatementSync
  readonly #codes: StatementSync
  #rows = 0
  #lastNameToken: string | undefined

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'index.sqlite')
    this.#db = new DatabaseSync(this.#path)
    // The folder is thrown away when the build fails, so nothing here needs a journal.
    this.#db.exec(`
      pragma page_size = 8192;
      pragma journal_mode = off;
      pragma synchronous = off;
      pragma locking_mode = exclusive;
      pragma temp_store = file;
      pragma cache_size = -${cacheKb};
      create virtual table postings using fts5(
        words, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_=*'"
      );
      insert into postings(postings, rank) values ('automerge', 0);
      insert into postings(postings, rank) values ('crisismerge', 1999);
      insert into postings(postings, rank) values ('hashsize', ${hashBytes});
      create table names(row integer primary key, key integer not null, text text not null);
      create table records(row integer primary key, record text not null);
      create table arriving(code text not null, row integer not null);
      begin`)
    this.#postings = this.#db.prepare('insert into postings(rowid, words) values (?, ?)')
    this.#names = this.#db.prepare('insert into names(row, key, text) values (?, ?, ?)')
    this.#records = this.#db.prepare('insert into records(row, record) values (?, ?)')
    this.#codes = this.#db.prepare('insert into arriving(code, row) values (?, ?)')
  }

  keep({ first, keys, tokens, names, records, codes, codeRows }: Batch): void {
    const [words, texts, kept] = [tokens.split('\n'), names.split('\n'), records.split('\n')]
    for (const [place, key] of keys.entries()) {
      this.#postings.run(first + place, words[place] ?? '')
      this.#names.run(first + place, key, texts[place] ?? '')
      this.#records.run(first + place, kept[place] ?? '')
    }
    if (codeRows.length > 0)
      for (const [place, code] of codes.split('\n').entries()) this.#codes.run(code, codeRows[place] ?? 0)
    this.#rows += keys.length
    this.#lastNameToken = /=\w+/.exec(words.at(-1) ?? '')?.[0] ?? this.#lastNameToken
  }

  /** Sorts, packs and checks what came, and makes it durable. */
  finish(): void {
    this.#db.exec(`
      create unique index names_by_key on names(key);
      create table codes(code text not null, row integer not null, primary key (code, row)) without rowid;
      insert or ignore into codes select code, row from arriving order by code, row;
      drop table arriving;
      insert into postings(postings) values ('optimize');
      commit;`)
    this.#check()
    this.#db.close()
    const file = openSync(this.#path, 'r+')
    fsyncSync(file)
    closeSync(file)
  }

  /** Gives up: closes the file and leaves the folder to whoever made it. */
  abandon(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  #check(): void {
    const rows = this.#rows
    for (const table of ['names', 'records']) {
      const held = Number(this.#db.prepare(`select count(*) as held from ${table}`).get()?.['held'])
      if (held !== rows) throw new Error(`the index holds ${held} ${table} for ${rows} entries`)
    }
    if (rows === 0) return
    // Every entry with a name stands under the token of its whole name.
    const last = this.#lastNameToken
    if (last === undefined) return
    const held = this.#db.prepare('select 1 as held from postings where postings match ? limit 1')
    if (held.get(`"${last}"`) === undefined) throw new Error(`there is no posting list of "${last}"`)
  }
}
