import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const built = join(import.meta.dirname, '..', '..', 'dist', 'web')

/** Whether `npm run web` has made the application. */
export const webIsBuilt = () => existsSync(join(built, 'index.html'))

// Addresses of the web application's pages. Its router knows what each shows; the server only has to hand out the application.
export const pagePaths = [
  '/',
  '/sign-up',
  '/log-in',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/invitation',
  '/account',
  '/account/*',
  '/documentation',
  '/explore',
  '/providers',
  '/providers/*',
  '/reports',
  '/reports/*',
  '/contracts',
  '/contracts/*',
  '/medicare',
  '/data',
  '/data/*',
] as const

// What programs ask for is told in their own form that it is not there.
const forPrograms = /^\/(api|app|assets|oauth|mcp|\.well-known)\b/

/** Serves the built web application from our own origin: pages fresh, assets (named by their content) for ever. */
export async function serveWeb(app: FastifyInstance): Promise<void> {
  if (!webIsBuilt()) return
  await app.register(fastifyStatic, {
    root: join(built, 'assets'),
    prefix: '/assets/',
    maxAge: '365d',
    immutable: true,
    index: false,
  })
  const sendPage = (reply: FastifyReply) =>
    reply.header('Cache-Control', 'no-cache').sendFile('index.html', built, { maxAge: 0, immutable: false })
  for (const path of pagePaths) app.get(path, { logLevel: 'warn' }, (_request, reply) => sendPage(reply))
  // Somebody who follows a broken link in a browser gets a page that says so.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || request.method !== 'GET' || forPrograms.test(request.url)) return
    if (request.headers.accept?.includes('text/html')) return sendPage(reply.code(404))
  })
}
