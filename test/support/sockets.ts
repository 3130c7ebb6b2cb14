import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The address of a server that listens on a port of its own. */
export const listening = (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' })

/** Everything a server says on a bare connection until it hangs up. */
export function rawAnswer(url: string, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(sent))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

/** A promise that a test keeps when it wants to. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
