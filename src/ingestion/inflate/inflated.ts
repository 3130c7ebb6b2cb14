import { Worker } from 'node:worker_threads'
import type { InflateHears, InflateSays } from './inflate-thread.ts'
import { Inflater, inflateMemory, layout, packedAt, slotAt, type InflateState } from './inflater.ts'

type Bytes = AsyncIterable<Uint8Array>

/** A gzip file that ends in the middle, or is no gzip file any more. */
export class GzipProblem extends Error {
  readonly kind: 'cut' | 'damaged'

  constructor(kind: 'cut' | 'damaged', says: string) {
    super(says)
    this.kind = kind
  }
}

/** Below this many packed bytes a thread costs more than it gains. */
const threadFromBytes = 1 << 20
/** Threads that wait for the next file. */
const idleMax = 2
const idle: InflateThread[] = []

/**
 * The content of a gzip file. Larger files are inflated by a thread of their own, so that whoever reads the content does so at the
 * same time. A chunk holds until the next one is asked for; then its memory is used again.
 */
export async function* inflated(packed: Bytes, packedBytes?: number): AsyncGenerator<Uint8Array, void> {
  if (packedBytes !== undefined && packedBytes < threadFromBytes) return yield* inflatedHere(packed)
  const thread = idle.pop() ?? new InflateThread()
  let clean = false
  try {
    const over = yield* thread.inflated(packed)
    clean = true
    check(over.state, over.problem)
  } finally {
    if (clean && idle.length < idleMax) idle.push(thread)
    else await thread.stop()
  }
}

/** Starts a thread ahead of the file it is for: it takes a while to come up. */
export function prepareInflating(): void {
  if (idle.length === 0) idle.push(new InflateThread())
}

function check(state: InflateState, problem: string): void {
  if (state === 'cut') throw new GzipProblem('cut', 'unexpected end of file')
  if (state === 'damaged') throw new GzipProblem('damaged', problem)
}

async function* inflatedHere(packed: Bytes): AsyncGenerator<Uint8Array, void> {
  const memory = inflateMemory()
  const inflater = new Inflater(memory)
  const source = packed[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array(0)
  try {
    let slot = inflater.nextSlot()
    for (;;) {
      const state = inflater.advance()
      if (state === 'input') {
        if (chunk.length === 0) {
          const next = await source.next()
          if (next.done) inflater.finish()
          else chunk = next.value
        }
        chunk = chunk.subarray(inflater.push(chunk))
        continue
      }
      if (inflater.filled > 0) yield new Uint8Array(memory.buffer, slotAt(slot), inflater.filled)
      if (state === 'end') return
      check(state, inflater.says)
      slot = inflater.nextSlot()
    }
  } finally {
    await source.return?.()
  }
}

/** A thread that inflates one file after the other into memory that it shares with us. */
class InflateThread {
  readonly #memory = inflateMemory()
  readonly #worker: Worker
  #hear: (said: InflateSays | Error) => void = () => undefined

  constructor() {
    this.#worker = new Worker(new URL('inflate-thread.ts', import.meta.url), {
      workerData: { memory: this.#memory },
      stdin: false,
    })
    this.#worker.on('message', (said: InflateSays) => this.#hear(said))
    this.#worker.on('error', (error) => this.#hear(error))
    this.#worker.on('exit', () => this.#hear(new Error('the inflating thread stopped')))
    this.#worker.unref()
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  async *inflated(packed: Bytes): AsyncGenerator<Uint8Array, Extract<InflateSays, { says: 'over' }>> {
    const heard: InflateSays[] = []
    let broken: { readonly error: unknown } | undefined
    const flow = { ahead: 0, stopped: false }
    const mustWait = () => flow.ahead >= layout.packedCount && !flow.stopped
    let wakeReader = () => {}
    let wakePump = () => {}
    this.#hear = (said) => {
      if (said instanceof Error) broken ??= { error: said }
      else if (said.says === 'used') {
        flow.ahead--
        return wakePump()
      } else heard.push(said)
      if (broken || heard.at(-1)?.says === 'over') flow.stopped = true
      wakePump()
      wakeReader()
    }
    const source = packed[Symbol.asyncIterator]()
    let pieces = 0
    const pump = async () => {
      try {
        for (let next = await source.next(); !next.done && !flow.stopped; next = await source.next()) {
          for (let from = 0; from < next.value.length; from += layout.packedBytes) {
            while (mustWait()) await new Promise<void>((resolve) => (wakePump = resolve))
            if (flow.stopped) break
            this.#give(next.value.subarray(from, from + layout.packedBytes), pieces++)
            flow.ahead++
          }
        }
        if (!flow.stopped) this.#tell({ hears: 'last' })
      } catch (error) {
        broken ??= { error }
        wakeReader()
      }
    }
    this.#worker.ref()
    this.#tell({ hears: 'begin' })
    void pump()
    try {
      for (;;) {
        const said = heard.shift()
        if (said?.says === 'over') return said
        if (said?.says === 'slot') {
          yield new Uint8Array(this.#memory.buffer, slotAt(said.slot), said.bytes)
          this.#tell({ hears: 'free' })
        } else if (broken) throw broken.error
        else await new Promise<void>((resolve) => (wakeReader = resolve))
      }
    } finally {
      flow.stopped = true
      wakePump()
      // Not waited for: a server may be silent for long.
      source.return?.().catch(() => undefined)
      this.#hear = () => undefined
      this.#worker.unref()
    }
  }

  /** Puts packed bytes where the thread finds them: pieces are used in turn, each when the thread is done with it. */
  #give(packed: Uint8Array, number: number): void {
    const piece = number % layout.packedCount
    new Uint8Array(this.#memory.buffer, packedAt(piece)).set(packed)
    this.#tell({ hears: 'packed', piece, bytes: packed.length })
  }

  #tell(told: InflateHears): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(told)
  }
}
