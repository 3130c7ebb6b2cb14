import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { Failure } from '../errors.ts'
import { sourceMonthFromText, type SourceMonth } from '../vocabulary/source-month.ts'

/** Reads `--month`. */
export function monthFrom(text: string): SourceMonth {
  const month = sourceMonthFromText(text)
  if (month === undefined) throw new InvalidArgumentError('a month is written YYYY-MM.')
  return month
}

/** 202605 as 2026-05. */
export const monthText = (month: number) =>
  `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`

/** Reads a whole number above zero. */
export function countFrom(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('expected a whole number above 0.')
  return count
}

/** Reads a list such as `99213,99214`, or `@file` with one value to a line. */
export function listFrom(text: string): string[] {
  const listed = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text
  const values = listed.split(/[\s,;]+/).filter((value) => value !== '')
  if (values.length === 0) throw new InvalidArgumentError('the list is empty.')
  return values
}

/** Prints an answer as JSON for programs, or as lines for people. */
export function printed(json: boolean | undefined, answer: unknown, lines: () => readonly string[]): void {
  console.log(json ? JSON.stringify(answer, null, 2) : lines().join('\n'))
}

/** Stops work at Ctrl-C; a second one ends the program at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130)
      stop.abort(new Failure('conflict', 'Stopped. The same command goes on from here.'))
    })
  return stop.signal
}
