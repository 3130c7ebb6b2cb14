/** How far an ingest is. */
export interface Progress {
  readonly phase: 'reading' | 'building' | 'publishing' | 'done'
  readonly filesDone: number
  readonly filesTotal: number
  readonly monthsDone: number
  readonly monthsTotal: number
  /** Bytes as published. */
  readonly packedBytes: number
  readonly unpackedBytes: number
  readonly prices: number
  readonly elapsedMs: number
  /** Unpacked bytes a second, over the run so far. */
  readonly bytesPerSecond: number
  /** Undefined while there is nothing to tell it from. */
  readonly remainingMs: number | undefined
  readonly rssBytes: number
}

/** Sums what the files of a run report. */
export class ProgressCount {
  phase: Progress['phase'] = 'reading'
  filesDone = 0
  filesTotal = 0
  monthsDone = 0
  monthsTotal = 0
  prices = 0
  #packedDone = 0
  #unpackedDone = 0
  #sizes = new Map<string, number>()
  #running = new Map<string, { packedBytes: number; unpackedBytes: number }>()
  #startedAt = performance.now()

  /** A file is known, and, where that is known too, its size. */
  expect(address: string, size?: number): void {
    this.filesTotal++
    if (size !== undefined) this.#sizes.set(address, size)
  }

  running(address: string, done: { readonly packedBytes: number; readonly unpackedBytes: number }): void {
    this.#running.set(address, done)
  }

  finished(address: string, done?: { readonly packedBytes: number; readonly unpackedBytes: number }): void {
    this.filesDone++
    this.#running.delete(address)
    this.#sizes.delete(address)
    this.#packedDone += done?.packedBytes ?? 0
    this.#unpackedDone += done?.unpackedBytes ?? 0
  }

  now(): Progress {
    const running = [...this.#running.values()]
    const packedBytes = running.reduce((sum, each) => sum + each.packedBytes, this.#packedDone)
    const unpackedBytes = running.reduce((sum, each) => sum + each.unpackedBytes, this.#unpackedDone)
    const elapsedMs = performance.now() - this.#startedAt
    return {
      phase: this.phase,
      filesDone: this.filesDone,
      filesTotal: this.filesTotal,
      monthsDone: this.monthsDone,
      monthsTotal: this.monthsTotal,
      packedBytes,
      unpackedBytes,
      prices: this.prices,
      elapsedMs,
      bytesPerSecond: elapsedMs > 0 ? (unpackedBytes * 1_000) / elapsedMs : 0,
      remainingMs: this.#remaining(elapsedMs, packedBytes),
      rssBytes: process.memoryUsage.rss(),
    }
  }

  #remaining(elapsedMs: number, packedBytes: number): number | undefined {
    if (this.phase !== 'reading') return undefined
    const open = this.filesTotal - this.filesDone
    // Sizes of all open files are known for local ones; else every file counts the same.
    if (this.#sizes.size >= open && packedBytes > 0) {
      const sizes = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
      const left = sizes - (packedBytes - this.#packedDone)
      return (elapsedMs * Math.max(0, left)) / packedBytes
    }
    return this.filesDone > 0 ? (elapsedMs * open) / this.filesDone : undefined
  }
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** 1234567 as `1.2 MB`. */
export function bytesText(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1_000 ** unit
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** 3725000 ms as `1 h 02 min`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** One line for a terminal. */
export function progressLine(progress: Progress): string {
  if (progress.phase !== 'reading')
    return `${progress.phase}: ${progress.monthsDone} of ${progress.monthsTotal} months, memory ${bytesText(progress.rssBytes)}`
  const left = progress.remainingMs === undefined ? '' : `, ${durationText(progress.remainingMs)} left`
  return `reading: ${progress.filesDone} of ${progress.filesTotal} files, ${bytesText(progress.unpackedBytes)} at ${bytesText(progress.bytesPerSecond)}/s${left}, memory ${bytesText(progress.rssBytes)}`
}
