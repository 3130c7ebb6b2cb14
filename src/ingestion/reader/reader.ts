import { FindingBook } from '../findings.ts'
import { openAccelerator } from './accelerator.ts'
import type { ReadFilter, StagedFile } from './output.ts'
import { Pools } from './pools.ts'
import { Reading } from './reading.ts'
import type { SignedLocation } from './references.ts'
import { writeStage } from './stage.ts'
import { Twin } from './twin.ts'
import { Window } from './window.ts'

export interface ReadOptions {
  /** Keep only what is asked for. */
  readonly filter?: ReadFilter | undefined
  /** How many findings of each kind are kept with their place. All are counted. */
  readonly findingsKept?: number | undefined
  /** Told after each chunk how many bytes have been read. */
  readonly progress?: ((bytes: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Told of each `location` that is stored without what grants access to it, and its full text. */
  readonly signed?: SignedLocation | undefined
  /** Read without WebAssembly, as on a machine that cannot run it. The result is the same. */
  readonly plain?: boolean | undefined
}

/**
 * Reads one unpacked file into a stage at `folder` (docs/staged-files.md), or only judges it where there is no folder.
 * What is wrong in the file is a finding; an error while the bytes are fetched or unpacked is one too, and what came before it is kept.
 * Throws only where our own disk fails or `signal` stops it; the stage then has no `header.json`.
 */
export async function readFile(
  chunks: Chunks,
  folder: string | undefined,
  options: ReadOptions = {},
): Promise<StagedFile> {
  const book = new FindingBook(options.findingsKept)
  const accelerator = options.plain ? undefined : openAccelerator(book)
  const stage = writeStage(folder, accelerator?.memories)
  try {
    const window = accelerator?.window ?? new Window()
    const pools = new Pools(stage, accelerator?.pools)
    const twin = new Twin(new Reading(window, stage, book, pools), options, accelerator)
    let bytes = 0
    let broken: string | undefined
    const source = iteratorOf(chunks)
    for (;;) {
      const next = await chunkOf(source)
      options.signal?.throwIfAborted()
      if ('broken' in next) broken = next.broken
      if (!('chunk' in next)) break
      bytes += next.chunk.length
      if (!twin.push(next.chunk)) {
        await source.return?.()
        break
      }
      options.progress?.(bytes)
    }
    twin.end(broken)
    const file = twin.result()
    stage.finish(file)
    return file
  } catch (problem) {
    stage.abandon()
    throw problem
  } finally {
    accelerator?.close()
  }
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const iteratorOf = (chunks: Chunks) =>
  Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()

/** The next chunk, the end, or how the source broke. */
async function chunkOf(
  source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
): Promise<{ chunk: Uint8Array } | { over: true } | { broken: string }> {
  try {
    const next = await source.next()
    return next.done ? { over: true } : { chunk: next.value }
  } catch (problem) {
    return { broken: problem instanceof Error ? problem.message : String(problem) }
  }
}
