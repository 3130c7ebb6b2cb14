import { workerData, type MessagePort } from 'node:worker_threads'
import { layout, packedAt, type InflateMemory } from './inflate-memory.ts'
import { Inflater, type InflateState } from './inflater.ts'

/** What a thread that inflates is told: a new file begins; its next bytes; that there are no more; that a slot may be filled again. */
export type InflateHears =
  | { readonly hears: 'begin' }
  | { readonly hears: 'packed'; readonly piece: number; readonly bytes: number }
  | { readonly hears: 'last' }
  | { readonly hears: 'free'; readonly slot: number }

/** What it says: that a chunk is used up; that a slot is filled; how the file ended; what broke in the thread itself. */
export type InflateSays =
  | { readonly says: 'used' }
  | { readonly says: 'slot'; readonly slot: number; readonly bytes: number }
  | { readonly says: 'over'; readonly state: InflateState; readonly problem: string }
  | { readonly says: 'broke'; readonly message: string }

/** What it shares with whoever reads what it inflates: the memory, and a port at each end. */
export interface InflateLine {
  readonly memory: InflateMemory
  readonly port: MessagePort
}

const given = workerData as InflateLine | null
if (given) {
  const { memory, port } = given
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const say = (said: InflateSays) => port.postMessage(said)
  let inflater: Inflater | undefined
  let chunks: Uint8Array[] = []
  let last = false
  /** Slots that may be filled. The last to be freed is taken first: it is still in the processor's cache. */
  let free: number[] = []
  let slot = -1

  const give = (from: Inflater) => {
    if (from.filled > 0) say({ says: 'slot', slot, bytes: from.filled })
    slot = -1
  }

  /** The next input for the inflater; false where it has to be waited for. */
  const feed = (to: Inflater): boolean => {
    const [chunk] = chunks
    if (chunk === undefined) {
      if (last) to.finish()
      return last
    }
    const taken = to.push(chunk)
    if (taken < chunk.length) chunks[0] = chunk.subarray(taken)
    else {
      chunks.shift()
      say({ says: 'used' })
    }
    return true
  }

  /** Fills slots as long as there is something to do. */
  const work = (from: Inflater) => {
    for (;;) {
      if (slot < 0) {
        const next = free.pop()
        if (next === undefined) return
        slot = next
        from.goTo(slot)
      }
      const state = from.advance()
      if (state === 'room') give(from)
      else if (state !== 'input') {
        give(from)
        say({ says: 'over', state, problem: from.says })
        inflater = undefined
        return
      } else if (!feed(from)) return
    }
  }

  const hear = (heard: InflateHears) => {
    if (heard.hears === 'begin') {
      inflater = new Inflater(memory)
      chunks = []
      last = false
      free = Array.from({ length: layout.slotCount }, (_, number) => layout.slotCount - 1 - number)
      slot = -1
    } else if (heard.hears === 'packed')
      chunks.push(new Uint8Array(memory.buffer, packedAt(heard.piece), heard.bytes))
    else if (heard.hears === 'last') last = true
    else free.push(heard.slot)
    if (inflater) work(inflater)
  }

  port.on('message', (heard: InflateHears) => {
    try {
      hear(heard)
    } catch (error) {
      say({ says: 'broke', message: (error as Error).message })
    }
  })
}
