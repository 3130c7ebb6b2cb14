import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IndexWriter, type Entry } from '../../src/search/index-writer.ts'
import { OpenedIndex, sharedIndex } from '../../src/search/opened-index.ts'

/** An index of a few entries, for as long as `use` runs. Entries come in rank order. */
export function withIndex<Result>(
  entries: readonly Partial<Entry>[],
  facets: readonly string[],
  use: (index: OpenedIndex) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-index-'))
  try {
    const writer = new IndexWriter(folder, facets)
    for (const [place, entry] of entries.entries())
      writer.add({
        key: place + 1,
        names: [],
        beside: [],
        codes: [],
        facets: {},
        record: String(place),
        ...entry,
      })
    writer.finish()
    const index = new OpenedIndex(sharedIndex(folder))
    try {
      return use(index)
    } finally {
      index.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
