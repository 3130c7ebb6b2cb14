import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { InflateHears, InflateLine, InflateSays } from './inflate-thread.ts'
import { inflateMemory, layout, packedAt, slotAt, type InflateMemory } from './inflate-memory.ts'
import type { InflateState } from './inflater.ts'

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
  const thread = idle.pop() ?? new InflateThread(inflateLine())
  let clean = false
  try {
    const over = yield* thread.inflated(packed)
    clean = true
    check(over.state, over.problem)
  } finally {
    if (clean && idle.length < idleMax) idle.push(thread)
    else thread.stop()
  }
}

/** Has a thread ready ahead of the next file, as it takes a while to come up: the one at the end of a line, or one of our own. */
export function prepareInflating(line?: InflateLine): void {
  if (line || idle.length === 0) idle.push(new InflateThread(line ?? inflateLine()))
}

/** The line to a thread that is ready or coming up, for another thread that will read the next file to prepare with. */
export const lentInflating = (): InflateLine => idle.pop()?.handedOn() ?? inflateLine()

/** Starts a thread that inflates. It ends when its line is closed, and does not keep the program alive. */
function inflateLine(): InflateLine {
  const memory = inflateMemory()
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('inflate-thread.ts', import.meta.url), {
    workerData: { memory, port: port2 } satisfies InflateLine,
    transferList: [port2],
    stdin: false,
  })
  // Its port closes with it, and that is heard.
  worker.on('error', () => undefined)
  worker.unref()
  return { port: port1, memory }
}

/** Lets the file, timers and signals have their turn: messages that keep coming would be heard before all of them. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function check(state: InflateState, problem: string): void {
  if (state === 'cut') throw new GzipProblem('cut', 'unexpected end of file')
  if (state === 'damaged') throw new GzipProblem('damaged', problem)
}

async function* inflatedHere(packed: Bytes): AsyncGenerator<Uint8Array, void> {
  const { Inflater } = await import('./inflater.ts')
  const memory = inflateMemory()
  const inflater = new Inflater(memory)
  const source = packed[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array(0)
  try {
    let slot = 0
    inflater.goTo(slot)
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
      slot = 1 - slot
      inflater.goTo(slot)
      await turn()
    }
  } finally {
    await source.return?.()
  }
}

/** A thread that inflates one file after the other into memory that it shares with us. */
class InflateThread {
  readonly #memory: InflateMemory
  readonly #port: MessagePort
  #hear: (said: InflateSays | Error) => void = () => undefined

  constructor({ port, memory }: InflateLine) {
    this.#memory = memory
    this.#port = port
    port.on('message', (said: InflateSays) => this.#hear(said))
    port.on('close', () => this.#hear(new Error('the inflating thread stopped')))
    port.unref()
  }

  stop(): void {
    this.#port.close()
  }

  /** Its line, when it is no longer ours. */
  handedOn(): InflateLine {
    this.#port.removeAllListeners()
    return { port: this.#port, memory: this.#memory }
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
      else if (said.says === 'broke') broken ??= { error: new Error(said.message) }
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
    this.#port.ref()
    this.#tell({ hears: 'begin' })
    void pump()
    try {
      for (;;) {
        const said = heard.shift()
        if (said?.says === 'over') return said
        if (said?.says === 'slot') {
          yield new Uint8Array(this.#memory.buffer, slotAt(said.slot), said.bytes)
          this.#tell({ hears: 'free', slot: said.slot })
          await turn()
        } else if (broken) throw broken.error
        else await new Promise<void>((resolve) => (wakeReader = resolve))
      }
    } finally {
      flow.stopped = true
      wakePump()
      // Not waited for: a server may be silent for long.
      source.return?.().catch(() => undefined)
      this.#hear = () => undefined
      this.#port.unref()
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
    this.#port.postMessage(told)
  }
}
