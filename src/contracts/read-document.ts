import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { payers } from '../vocabulary/payers.ts'
import type { Extraction } from './extract/rules.ts'
import type { DocumentText } from './text/document-text.ts'
import type { DocumentType } from './text/document-type.ts'
import { UnreadableDocument } from './text/text-limits.ts'

/** What a document gave: its text, and what the rules found where there is text at all. */
export interface ReadDocument {
  readonly text: DocumentText
  readonly extraction?: Extraction
}

/** What reading one document may cost before it is stopped. */
export interface ReadLimits {
  readonly timeMs: number
  readonly memoryBytes: number
}

export const readLimits: ReadLimits = { timeMs: 120_000, memoryBytes: 1_000_000_000 }

const answerBytesMost = 64_000_000
const watchMs = 100
const child = join(import.meta.dirname, 'read-child.ts')
const packageFolder = join(import.meta.dirname, '..', '..')

export interface ReadOptions {
  /** What the document is, where its content does not tell. */
  readonly type?: DocumentType
  readonly limits?: ReadLimits
  readonly signal?: AbortSignal
}

const tooLong = 'Reading the document took longer than it may. Save it again, or upload it in parts.'
const tooMuchMemory =
  'Reading the document took more memory than it may. Save it again, or upload it in parts.'

/**
 * Reads a document outside this process. A file made to break its reader can at worst end the child: it has no
 * environment, may only read our program and the document, and is killed at its limits.
 */
export function readDocument(
  path: string,
  { type, limits = readLimits, signal }: ReadOptions = {},
): Promise<ReadDocument> {
  return new Promise((resolve, reject) => {
    const started = spawnLimited(
      [
        '--permission',
        `--allow-fs-read=${packageFolder}`,
        `--allow-fs-read=${dirname(path)}`,
        `--max-old-space-size=${Math.floor(limits.memoryBytes / 1_500_000)}`,
        '--disable-warning=ExperimentalWarning',
        '--disable-warning=SecurityWarning',
        child,
      ],
      limits,
    )
    let stopped: Error | undefined
    const stop = (reason: Error) => {
      stopped ??= reason
      started.kill('SIGKILL')
    }
    const aborted = () => stop(signal!.reason as Error)
    if (signal?.aborted) aborted()
    else signal?.addEventListener('abort', aborted, { once: true })
    const timer = setTimeout(() => stop(new UnreadableDocument(tooLong)), limits.timeMs)
    const watch = setInterval(() => {
      if (residentBytes(started.pid) > limits.memoryBytes) stop(new UnreadableDocument(tooMuchMemory))
    }, watchMs)
    const pieces: Buffer[] = []
    let bytes = 0
    let said = ''
    started.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > answerBytesMost) stop(new UnreadableDocument('The document holds more than we read.'))
      else pieces.push(piece)
    })
    started.stderr.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-4_000)))
    started.stdin.on('error', () => {})
    started.stdin.end(JSON.stringify({ path, type, payers: payers() }))
    started.on('error', stop)
    started.on('close', (code) => {
      clearTimeout(timer)
      clearInterval(watch)
      signal?.removeEventListener('abort', aborted)
      if (stopped) return reject(stopped)
      if (/heap out of memory|Array buffer allocation failed/.test(said))
        return reject(new UnreadableDocument(tooMuchMemory))
      if (code !== 0) return reject(new Error(`The reader of documents ended with ${code}: ${said}`))
      const answer = JSON.parse(Buffer.concat(pieces).toString()) as ReadDocument | { unreadable: string }
      if ('unreadable' in answer) reject(new UnreadableDocument(answer.unreadable))
      else resolve(answer)
    })
  })
}

/** Starts Node without an environment; where there is a shell, with a limit that holds even after we are killed. */
function spawnLimited(args: readonly string[], { timeMs }: ReadLimits): ChildProcessWithoutNullStreams {
  const options = { env: {}, stdio: 'pipe' } as const
  if (process.platform === 'win32') return spawn(process.execPath, args, options)
  // Its threads together may use twice the time that the clock gives it.
  const limited = `ulimit -t ${Math.ceil(timeMs / 500)} && exec "$0" "$@"`
  return spawn('/bin/sh', ['-c', limited, process.execPath, ...args], options)
}

/** How much memory a process holds; 0 where the system does not say. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1_024
  } catch {
    return 0
  }
}
