import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..')
const command = join(root, 'bin', 'ratebook.js')
const run = promisify(execFile)

/** The real server in a process of its own, with the synthetic demo loaded into a folder of its own. */
export interface DemoServer {
  readonly url: string
  readonly demoKey: string
  /** Everything it printed: mails too, because none is sent. */
  log(): string
  /** What an operator types. */
  ratebook(...args: string[]): Promise<string>
  createAccount(account: DemoAccount): Promise<{ apiKey: string }>
  stop(): Promise<void>
}

export interface DemoAccount {
  readonly email: string
  readonly password: string
  readonly organization: string
  readonly credits: number
}

/** Builds the pages where they are old, then starts the server as `npm start` does. */
export async function startDemoServer(env: Readonly<Record<string, string>> = {}): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-web-'))
  const port = await freePort()
  const environment = {
    ...process.env,
    RATEBOOK_DATA: folder,
    PORT: String(port),
    HOST: '127.0.0.1',
    RATEBOOK_LOG_LEVEL: 'warn',
    // A machine that is busy with other tests is no fault of the server.
    RATEBOOK_MAX_EVENT_LOOP_DELAY_MS: '0',
    ...env,
  }
  await run(process.execPath, [join(root, 'scripts', 'web.ts')], { cwd: root })
  const server = spawn(process.execPath, [command, 'serve'], { cwd: root, env: environment })
  let log = ''
  server.stdout.on('data', (text: Buffer) => (log += text.toString()))
  server.stderr.on('data', (text: Buffer) => (log += text.toString()))
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const demoKey = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', () => {
      const key = /Demo API key[^:]*: (\S+)/.exec(log)?.[1]
      if (key) resolve(key)
    })
    void ended.then(() => reject(new Error(`The server ended before it listened:\n${log}`)))
  })
  const ratebook = async (...args: string[]) =>
    (await run(process.execPath, [command, ...args], { cwd: root, env: environment })).stdout
  return {
    url: `http://127.0.0.1:${port}`,
    demoKey,
    log: () => log,
    ratebook,
    createAccount: async (account) => {
      const options = Object.entries(account).flatMap(([name, value]) => [`--${name}`, String(value)])
      return JSON.parse(await ratebook('accounts', 'create', '--json', ...options)) as { apiKey: string }
    },
    stop,
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const holder = createServer()
    holder.once('error', reject)
    holder.listen(0, '127.0.0.1', () => {
      const { port } = holder.address() as AddressInfo
      holder.close(() => resolve(port))
    })
  })
}
