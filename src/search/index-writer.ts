import type { Facet } from './columns.ts'
import { Gathering, type Entry } from './gathering.ts'
import { IndexFile } from './index-file.ts'

/**
 * Writes an index from entries that arrive in order of rank: the first is what most people mean.
 * Row numbers are ranks, so a posting list read from its start yields the likeliest first and can stop early.
 */
export class IndexWriter {
  readonly #file: IndexFile
  readonly #gathering: Gathering

  constructor(folder: string, facets: readonly (string | Facet)[]) {
    this.#file = new IndexFile(folder)
    this.#gathering = new Gathering(folder, facets)
  }

  get rows(): number {
    return this.#gathering.rows
  }

  add(entry: Entry): void {
    if (this.#gathering.add(entry)) this.#file.keep(this.#gathering.batch())
  }

  /** Completes the folder. */
  finish(): void {
    this.#file.keep(this.#gathering.batch())
    this.#file.finish()
    this.#gathering.writeShared()
  }

  /** Gives up: closes the file and leaves the folder to whoever made it. */
  abandon(): void {
    this.#file.abandon()
  }
}
