import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** One measured process. */
export interface Measure {
  readonly ms: number
  /** Processor time of all its threads: what a busy machine does not stretch. */
  readonly cpuMs: number
  /** Without what it took until its code was loaded; absent for other programs. */
  readonly workMs?: number
  readonly rssBytes: number
  readonly says: Record<string, unknown>
}

async function run(command: string, args: readonly string[]): Promise<Measure> {
  const startedAt = performance.now()
  const running = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  running.stdout.on('data', (chunk: Buffer) => (out = (out + chunk.toString()).slice(-4_096)))
  const [code] = (await once(running, 'close')) as [number | null]
  const ms = performance.now() - startedAt
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  const says = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>
  const { cpuMs = 0, rssBytes = 0, workMs } = says as Record<string, number>
  return { ms, cpuMs, rssBytes, says, ...(workMs !== undefined && { workMs }) }
}

/** Runs one of our own steps to its end; the last line it prints is JSON about itself. */
export const measured = (args: readonly string[]) => run(process.execPath, args)

/** Runs a shell command whose processor time bash counts. */
export const shell = (command: string) =>
  run('bash', [
    '-c',
    `TIMEFORMAT='%U %S'; used=$( { time { ${command}; } ; } 2>&1 ); echo "$used" | awk '{ printf "{\\"cpuMs\\":%d}\\n", ($1 + $2) * 1000 }'`,
  ])
