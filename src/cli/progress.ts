import { progressLine, type Progress } from '../ingestion/progress.ts'

const lineEveryMs = 2_000

/** Shows how far work is, on standard error: one line rewritten on a terminal, JSON lines otherwise. */
export function progressReport(json: boolean | undefined): {
  report: (progress: Progress) => void
  end: () => void
} {
  const terminal = process.stderr.isTTY && !json
  let saidAt = -lineEveryMs
  let phase = ''
  return {
    report(progress) {
      if (terminal) {
        process.stderr.write(`\r\u001B[K${progressLine(progress)}`)
        return
      }
      const now = performance.now()
      if (progress.phase === phase && now - saidAt < lineEveryMs) return
      saidAt = now
      phase = progress.phase
      process.stderr.write(`${JSON.stringify(progress)}\n`)
    },
    end() {
      if (terminal) process.stderr.write('\r\u001B[K')
    },
  }
}
