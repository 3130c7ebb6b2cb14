import { FindingBook, type Findings } from '../findings.ts'
import type { FileKind, ReadFilter, StagedFile } from './output.ts'
import { Pools } from './pools.ts'
import { Reading } from './reading.ts'
import { writeStage } from './stage.ts'
import { Twin } from './twin.ts'
import { Window } from './window.ts'

/** What one remote reference turned out to hold. */
export interface RemoteReference {
  readonly kind: FileKind
  /** It is a whole document of provider groups, and is staged. */
  readonly usable: boolean
  readonly findings: Findings
}

/**
 * The stage of the files behind `location`s: thousands of tiny documents of provider groups, gathered in one folder
 * in which a reference's id is its location. Each is read whole, so that a broken one leaves nothing behind.
 */
export interface RemoteStage {
  /** Reads the unpacked document at `location`. */
  add(location: string, bytes: Uint8Array): RemoteReference
  /** Ends the stage. */
  finish(): StagedFile
}

/** With a filter, only the NPIs and TINs that it asks for are staged. */
export function writeRemoteStage(folder: string, filter?: ReadFilter): RemoteStage {
  const stage = writeStage(folder)
  const pools = new Pools(stage)
  const window = new Window()
  const overall = new FindingBook(0)
  let bytesRead = 0
  const readingOf = (book: FindingBook) => {
    window.restart()
    return new Reading(window, stage, book, pools)
  }
  return {
    add(location, bytes) {
      const book = new FindingBook(10)
      const twin = new Twin(readingOf(book), { location, filter })
      const definitions = stage.tables.definitions.reference.length
      twin.push(bytes)
      twin.end()
      bytesRead += bytes.length
      const usable = stage.tables.definitions.reference.length > definitions
      return { kind: twin.kind, usable, findings: book.findings() }
    },
    finish() {
      const twin = new Twin(readingOf(overall), { location: '' })
      const file = twin.result()
      const whole: StagedFile = {
        ...file,
        kind: 'provider-reference',
        complete: true,
        counts: { ...file.counts, bytes: bytesRead },
        findings: { counts: {}, kept: [] },
      }
      stage.finish(whole)
      return whole
    },
  }
}
