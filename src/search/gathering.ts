import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ColumnsWriter } from './columns-writer.ts'
import type { Facet } from './columns.ts'
import { FrequentWriter, type SortedTokens } from './frequent-writer.ts'
import type { Batch } from './index-file.ts'
import { keysFile } from './keys.ts'
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
  /** For each facet its values as one text (see `valuesText`); undefined where it has none. */
  readonly facets: Readonly<Record<string, string | undefined>>
  /** What answers are made of; a text of one line. */
  readonly record: string
}

/** The longest beginning of a word that has a posting list of its own; longer ones are completed by the vocabulary. */
export const prefixLettersMax = 4
export const prefixToken = (letters: string) => `*${letters}`
export const nameToken = (key: string) => `=${key}`
/** Where the names of an entry end and the words beside them begin. */
export const besideMark = '~'

/** Words met this often have their tokens remembered; most words of a large index are rare. */
const remembered = 16
export const batchRows = 2_048

/**
 * Turns entries, which arrive in order of rank, into batches for the file of an index, and gathers on the way what all
 * threads will share in memory: packed columns and the vocabulary.
 */
export class Gathering {
  readonly #folder: string
  readonly #columns: ColumnsWriter
  readonly #frequent: FrequentWriter
  /** How many entries bear each word. */
  readonly #counts = new Map<string, number>()
  /** The tokens of the words that come often. */
  readonly #remembered = new Map<string, SortedTokens>()
  #keys: number[] = []
  #tokens: string[] = []
  #names: string[] = []
  #records: string[] = []
  #codes: string[] = []
  #codeRows: number[] = []

  constructor(folder: string, facets: readonly (string | Facet)[]) {
    this.#folder = folder
    this.#columns = new ColumnsWriter(facets, folder)
    this.#frequent = new FrequentWriter(folder)
  }

  get rows(): number {
    return this.#columns.rows
  }

  /** Takes an entry; true when a batch is full and should be taken away. */
  add({ key, names, beside, codes, facets, record }: Entry): boolean {
    const row = this.#columns.rows
    const found = this.#columns.add(key, facets)
    let tokens = ''
    const all = new Set<string>()
    let text = ''
    for (const [place, name] of names.entries()) {
      const named = words(name)
      for (const word of named) all.add(word)
      if (named.length > 0) tokens += ` ${nameToken(nameKey(named))}`
      text += place === 0 ? named.join(' ') : `|${named.join(' ')}`
    }
    if (beside.length > 0) {
      const near = new Set(beside.flatMap(words))
      for (const word of near) all.add(word)
      if (near.size > 0) text += `${besideMark}${[...near].join(' ')}`
    }
    if (this.#frequent.isChosen) {
      const sorted = [this.#frequent.sorted(found)]
      for (const word of all) sorted.push(this.#sorted(word))
      this.#frequent.add(sorted)
      // What has a list of its own need not stand in the posting lists.
      for (const { rare } of sorted) tokens += rare
    } else {
      for (const word of all) {
        this.#count(word)
        found.push(...tokensOf(word))
      }
      this.#frequent.wait(found)
      for (const token of found) tokens += ` ${token}`
    }
    this.#keys.push(key)
    this.#tokens.push(tokens)
    this.#names.push(text)
    this.#records.push(record)
    for (const code of codes) {
      this.#codes.push(code)
      this.#codeRows.push(row)
    }
    return this.#keys.length === batchRows
  }

  /** What came since the last batch. */
  batch(): Batch {
    const batch = {
      first: this.rows - this.#keys.length,
      keys: Float64Array.from(this.#keys),
      tokens: this.#tokens.join('\n'),
      names: this.#names.join('\n'),
      records: this.#records.join('\n'),
      codes: this.#codes.join('\n'),
      codeRows: Uint32Array.from(this.#codeRows),
    }
    for (const list of [this.#keys, this.#tokens, this.#names, this.#records, this.#codes, this.#codeRows])
      list.length = 0
    return batch
  }

  /** Writes the parts that all threads share. Nothing can be added afterwards. */
  writeShared(): void {
    const folder = this.#folder
    this.#frequent.finish()
    written(keysFile(folder), this.#columns.keys())
    written(join(folder, 'columns.bin'), this.#columns.block())
    this.#remembered.clear()
    written(join(folder, 'words.bin'), [vocabularyBlock(this.#counts)])
    written(join(folder, 'prefixes.bin'), [vocabularyBlock(prefixCounts(this.#counts))])
    this.#counts.clear()
  }

  #count(word: string): number {
    const count = (this.#counts.get(word) ?? 0) + 1
    this.#counts.set(word, count)
    return count
  }

  /** The word and its beginnings, by where they are listed. */
  #sorted(word: string): SortedTokens {
    const count = this.#count(word)
    const known = this.#remembered.get(word)
    if (known !== undefined) return known
    const sorted = this.#frequent.sorted(tokensOf(word))
    if (count >= remembered) this.#remembered.set(word, sorted)
    return sorted
  }
}

/** A word and its beginnings. */
function tokensOf(word: string): string[] {
  const tokens = [word]
  for (let length = Math.min(prefixLettersMax, word.length); length > 0; length--)
    tokens.push(prefixToken(word.slice(0, length)))
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

function written(path: string, parts: Iterable<Uint8Array>): void {
  const file = openSync(path, 'w')
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += writeSync(file, part, at)
  }
  fsyncSync(file)
  closeSync(file)
}
