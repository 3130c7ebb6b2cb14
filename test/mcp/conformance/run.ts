import { spawn } from 'node:child_process'
import { createServer, request, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** The releases of the official suite, each with its program. */
export const suites = {
  stable: programOf('@modelcontextprotocol/conformance'),
  newest: programOf('conformance-newest'),
}

export const inspector = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'mcp-inspector')

function programOf(name: string): string {
  return join(dirname(resolve(`${name}/package.json`)), 'dist', 'index.js')
}

/** A door on this machine that adds a key to every request: the suite cannot send headers of its own. */
export async function keyedProxy(target: URL, apiKey: string): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, authorization: `Bearer ${apiKey}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${target.pathname}`, server }
}

/** Runs a suite to its end; tells each line that it prints, for those who must answer it. */
export function conformance(
  program: string,
  given: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<{ code: number; text: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    const heard = (chunk: Buffer) => {
      text += chunk.toString()
      for (const line of chunk.toString().split('\n')) onLine(line.trim())
    }
    child.stdout.on('data', heard)
    child.stderr.on('data', heard)
    child.on('close', (code) => done({ code: code ?? 1, text }))
  })
}
