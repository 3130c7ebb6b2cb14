import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readFully } from './read-fully.ts'

/** Up to this size a column is one block and so held whole; of a larger one some blocks are. */
const heldBytes = 16 << 20
const blockBytes = 1 << 16
const blocksHeld = 64

/** The texts of a stage by their numbers. Notes alone may be more than memory should hold. */
export class StagedTexts {
  private readonly ends: Blocks
  private readonly bytes: Blocks

  constructor(folder: string, held = heldBytes) {
    this.ends = new Blocks(join(folder, 'texts.end.i64'), held)
    this.bytes = new Blocks(join(folder, 'texts.bytes.u8'), held)
  }

  text(id: number): string {
    const from = id === 0 ? 0 : this.end(id - 1)
    return this.bytes.text(from, this.end(id))
  }

  private end(id: number): number {
    return this.ends.wholeNumber(id * 8)
  }
}

/** A file that is looked into here and there. */
class Blocks {
  private readonly path: string
  private readonly size: number
  private readonly blockBytes: number
  /** By their number, the one that was looked into last at the end. */
  private readonly held = new Map<number, Buffer>()

  constructor(path: string, held: number) {
    this.path = path
    this.size = existsSync(path) ? statSync(path).size : 0
    this.blockBytes = this.size <= held ? Math.max(this.size, 1) : blockBytes
  }

  /** A number of 64 bits, below 2^53. None lies across two blocks. */
  wholeNumber(at: number): number {
    const block = this.block(Math.floor(at / this.blockBytes))
    const place = at % this.blockBytes
    return block.readInt32LE(place + 4) * 0x1_0000_0000 + block.readUInt32LE(place)
  }

  text(from: number, to: number): string {
    const first = Math.floor(from / this.blockBytes)
    const start = first * this.blockBytes
    if (to <= start + this.blockBytes) return this.block(first).toString('utf8', from - start, to - start)
    const parts: Buffer[] = []
    for (let at = from; at < to;) {
      const number = Math.floor(at / this.blockBytes)
      const end = Math.min(to, (number + 1) * this.blockBytes)
      parts.push(this.block(number).subarray(at - number * this.blockBytes, end - number * this.blockBytes))
      at = end
    }
    return Buffer.concat(parts).toString('utf8')
  }

  private block(number: number): Buffer {
    let block = this.held.get(number)
    if (block) {
      if (this.held.size === 1) return block
      this.held.delete(number)
    } else {
      block = this.read(number)
      if (this.held.size === blocksHeld) this.held.delete(this.held.keys().next().value!)
    }
    this.held.set(number, block)
    return block
  }

  private read(number: number): Buffer {
    const from = number * this.blockBytes
    const block = Buffer.alloc(Math.max(0, Math.min(this.blockBytes, this.size - from)))
    const descriptor = openSync(this.path, 'r')
    try {
      readFully(descriptor, block, from)
      return block
    } finally {
      closeSync(descriptor)
    }
  }
}
