import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readFully } from './read-fully.ts'

/** So many words are held in memory; more go to disk. */
const heldMost = 4_000_000
/** So many are read at once from disk while pieces follow each other. */
const aheadWords = 1 << 16

/** Words of a build under way: written front to back, as many as were told, and read back in pieces. Few are held, many go to disk. */
export class ScratchWords {
  /** Words so far. */
  length = 0
  /** Where words are: all that are held, or those read or written last. */
  piece: Uint32Array<ArrayBuffer>
  private readonly path: string
  private readonly descriptor: number | undefined
  private pieceFrom = 0
  private pieceTo = 0
  private askedTo = 0

  constructor(path: string, words: number, held = heldMost) {
    this.path = path
    this.descriptor = words > held ? openSync(path, 'w+') : undefined
    this.piece = new Uint32Array(this.descriptor === undefined ? words : aheadWords)
  }

  /** Makes room for the next words in `piece`, and answers where they go there. They count when `wrote` says so. */
  room(count: number): number {
    if (this.descriptor === undefined) return this.length
    if (this.piece.length < count) this.piece = new Uint32Array(count)
    return 0
  }

  wrote(count: number): void {
    if (this.descriptor !== undefined) {
      const bytes = new Uint8Array(this.piece.buffer, 0, count * 4)
      for (let done = 0; done < bytes.length;) done += writeSync(this.descriptor, bytes, done)
    }
    this.length += count
  }

  /** Brings words into `piece`, where they are until the next are asked for, and answers where they start there. */
  load(from: number, count: number): number {
    if (this.descriptor === undefined) return from
    if (from < this.pieceFrom || from + count > this.pieceTo) {
      const ahead = from === this.askedTo ? Math.min(aheadWords, this.length - from) : 0
      const read = Math.max(count, ahead)
      if (this.piece.length < read) this.piece = new Uint32Array(read * 2)
      readFully(this.descriptor, new Uint8Array(this.piece.buffer, 0, read * 4), from * 4)
      this.pieceFrom = from
      this.pieceTo = from + read
    }
    this.askedTo = from + count
    return from - this.pieceFrom
  }

  remove(): void {
    if (this.descriptor === undefined) return
    closeSync(this.descriptor)
    rmSync(this.path, { force: true })
  }
}
