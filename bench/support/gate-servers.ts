import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A server of bench/gate-server.ts that runs in a process of its own. */
export interface GateServer {
  readonly url: string
  readonly process: ChildProcess
  /** Stops it in good order. */
  stop(): Promise<ServerUse>
}

/** What a server took from the machine while it listened. */
export interface ServerUse {
  readonly peakRssMb: number
  readonly cpuUs: number
}

const program = join(import.meta.dirname, '..', 'gate-server.ts')

/** Settings under which only the gate's own work is measured: no limit is ever reached, nothing is logged. */
export const unlimited = {
  RATEBOOK_DEMO: 'off',
  RATEBOOK_RATE_PER_SECOND: '1000000000',
  RATEBOOK_RATE_BURST: '1000000000',
}

export async function startGateServer(
  kind: 'metered' | 'bare',
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<GateServer> {
  const child = fork(program, [kind], { env: { ...process.env, ...env }, execArgv: [...nodeOptions] })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The ${kind} server ended with ${code} before it listened.`)
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), gone])) as [{ url: string }]
  gone.catch(() => {})
  return {
    url,
    process: child,
    async stop() {
      const said = once(child, 'message')
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [used] = (await said) as [ServerUse]
      await ended
      return used
    },
  }
}
