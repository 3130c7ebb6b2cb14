import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What came of reading spoiled documents. */
export interface SpoiledReads {
  /** How many of each format were read in spite of it, and how many were refused with a sentence. */
  readonly counts: Readonly<Record<string, Record<string, number>>>
  /** Anything else: a crash, with what it said. */
  readonly crashes: readonly string[]
  readonly slowestMs: number
  readonly peakBytes: number
  /** Whether it came to its end, instead of dying or hanging over one document. */
  readonly ended: boolean
}

const child = join(import.meta.dirname, 'read-spoiled.ts')
// Far more than any of these small documents takes, and the start of the process with the first, on the busiest machine.
const patienceMs = 180_000

/** Reads that many spoiled documents in a process of its own, which is killed when it hangs over one. */
export async function spoiledReads(seed: string, rounds: number): Promise<SpoiledReads> {
  const reader = spawn(process.execPath, ['--max-old-space-size=600', child, seed, String(rounds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(reader, 'exit') as Promise<[number | null]>
  const counts: Record<string, Record<string, number>> = {}
  const crashes: string[] = []
  let slowestMs = 0
  let peakBytes = 0
  let read = 0
  const hang = () => setTimeout(() => reader.kill('SIGKILL'), patienceMs)
  let watch = hang()
  for await (const line of createInterface(reader.stdout)) {
    clearTimeout(watch)
    watch = hang()
    const { round, name, came, ms, rss } = JSON.parse(line) as Record<'round' | 'ms' | 'rss', number> &
      Record<'name' | 'came', string>
    read++
    slowestMs = Math.max(slowestMs, ms)
    peakBytes = Math.max(peakBytes, rss)
    if (came.startsWith('crashed')) crashes.push(`round ${round}, ${name}: ${came}`)
    const of = (counts[name] ??= {})
    of[came.slice(0, 7)] = (of[came.slice(0, 7)] ?? 0) + 1
  }
  clearTimeout(watch)
  const [code] = await exit
  return { counts, crashes, slowestMs, peakBytes, ended: code === 0 && read === rounds }
}
