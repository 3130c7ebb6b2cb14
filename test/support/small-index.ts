import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { valuesText } from '../../src/search/columns.ts'
import type { Entry } from '../../src/search/gathering.ts'
import { IndexWriter } from '../../src/search/index-writer.ts'
import { OpenedIndex, sharedIndex } from '../../src/search/opened-index.ts'

/** An entry of which only what a test is about is said; facet values as lists. */
export type SmallEntry = Partial<Omit<Entry, 'facets'>> & {
  readonly facets?: Readonly<Record<string, readonly string[]>>
}

/** An index of a few entries, for as long as `use` runs. Entries come in rank order. */
export function withIndex<Result>(
  entries: readonly SmallEntry[],
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
        record: String(place),
        ...entry,
        facets: Object.fromEntries(
          Object.entries(entry.facets ?? {}).map(([facet, values]) => [facet, valuesText(values)]),
        ),
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
