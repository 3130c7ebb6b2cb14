import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { pagePaths, webIsBuilt } from '../src/http/web.ts'
import { adminAndMember, openWebApp } from './support/web-app.ts'

/**
 * Who may call each route: anyone, this machine, whoever holds a key or a session, a session, an admin's session;
 * or as the rules of OAuth and of the tool server say, which test/oauth and test/mcp hold. A new route needs a line.
 */
const mayCall: Record<
  string,
  | 'anyone'
  | 'this machine'
  | 'key or session'
  | 'admin by key or session'
  | 'session'
  | 'admin'
  | 'OAuth'
  | 'tools'
> = {
  'POST /api/v1/open/mcp': 'tools',
  'GET /api/v1/open/mcp': 'tools',
  'DELETE /api/v1/open/mcp': 'tools',
  'GET /oauth/authorize': 'OAuth',
  'GET /oauth/authorize/:uid': 'OAuth',
  'GET /oauth/interaction/:uid': 'OAuth',
  'POST /oauth/interaction/:uid/abort': 'OAuth',
  'POST /oauth/interaction/:uid/confirm': 'OAuth',
  'POST /oauth/interaction/:uid/log-in': 'OAuth',
  'POST /oauth/register': 'OAuth',
  'OPTIONS /oauth/register': 'OAuth',
  'POST /oauth/revoke': 'OAuth',
  'OPTIONS /oauth/revoke': 'OAuth',
  'POST /oauth/token': 'OAuth',
  'OPTIONS /oauth/token': 'OAuth',
  'GET /oauth/jwks': 'anyone',
  'GET /oauth/style.css': 'anyone',
  'GET /.well-known/oauth-authorization-server': 'anyone',
  'GET /.well-known/oauth-protected-resource': 'anyone',
  'GET /.well-known/oauth-protected-resource/api/v1/open/mcp': 'anyone',
  'GET /mcp/doc': 'anyone',
  'GET /mcp/doc.css': 'anyone',
  'GET /mcp/doc.md': 'anyone',
  'GET /app/api/clients': 'session',
  'DELETE /app/api/clients/:id': 'session',
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'this machine',
  'GET /openapi.json': 'key or session',
  'GET /api/doc/openapi.json': 'key or session',
  'GET /api/doc.md': 'key or session',
  'GET /llms.txt': 'key or session',
  'GET /api/v1/payers': 'key or session',
  'POST /api/v1/payer/plans': 'key or session',
  'POST /api/v1/npis': 'key or session',
  'POST /api/v1/npiSearch': 'key or session',
  'POST /api/v1/ccns': 'key or session',
  'POST /api/v1/ccnSearch': 'key or session',
  'POST /api/v1/tins': 'key or session',
  'POST /api/v1/tinSearch': 'key or session',
  'POST /api/v1/market/benchmarks': 'key or session',
  'POST /api/v1/provider/rates': 'key or session',
  'POST /api/v1/contracts': 'admin by key or session',
  'GET /api/v1/contracts': 'key or session',
  'GET /api/v1/contracts/:id': 'key or session',
  'GET /api/v1/contracts/:id/document': 'key or session',
  'GET /api/v1/contracts/:id/text': 'key or session',
  'DELETE /api/v1/contracts/:id': 'admin by key or session',
  'GET /api/v1/contracts/:id/entities': 'key or session',
  'POST /api/v1/contracts/:id/evidence': 'admin by key or session',
  'POST /api/v1/contracts/:id/edits': 'admin by key or session',
  'GET /api/v1/contracts/:id/revisions': 'key or session',
  'GET /api/v1/contracts/:id/revisions/:revision': 'key or session',
  'POST /api/v1/contracts/:id/revert': 'admin by key or session',
  'POST /api/v1/reports': 'key or session',
  'POST /api/v1/reports/estimate': 'key or session',
  'GET /api/v1/reports': 'key or session',
  'GET /api/v1/reports/:id': 'key or session',
  'PATCH /api/v1/reports/:id': 'key or session',
  'POST /api/v1/reports/:id/actions': 'key or session',
  'POST /api/v1/reports/:id/refresh': 'key or session',
  'POST /api/v1/reports/:id/rows': 'key or session',
  'GET /api/v1/reports/:id/export': 'key or session',
  'POST /api/v1/reports/:id/views/interactiveChart': 'key or session',
  'POST /api/v1/reports/:id/views/summaryPivot': 'key or session',
  'POST /api/v1/reports/:id/views/percentile': 'key or session',
  'POST /api/v1/reports/:id/views/sample': 'key or session',
  'POST /api/v1/reports/:id/views/rateChange': 'key or session',
  'POST /api/v1/reports/:id/views/weightedContract': 'key or session',
  'POST /api/v1/reports/:id/views/dummyClaims': 'key or session',
  'POST /api/v1/reports/:id/views/modelContract': 'key or session',
  'GET /app/api/sign-up': 'anyone',
  'POST /app/api/sign-up': 'anyone',
  'POST /app/api/log-in': 'anyone',
  'POST /app/api/log-out': 'session',
  'GET /app/api/me': 'session',
  'POST /app/api/password': 'session',
  'POST /app/api/password-reset': 'anyone',
  'POST /app/api/password-reset/confirm': 'anyone',
  'POST /app/api/verify-email': 'anyone',
  'POST /app/api/verify-email/send': 'session',
  'PATCH /app/api/organization': 'admin',
  'POST /app/api/organization/switch': 'session',
  'GET /app/api/members': 'session',
  'PATCH /app/api/members/:id': 'admin',
  'DELETE /app/api/members/:id': 'admin',
  'GET /app/api/invitations': 'admin',
  'POST /app/api/invitations': 'admin',
  'POST /app/api/invitations/accept': 'anyone',
  'DELETE /app/api/invitations/:id': 'admin',
  'GET /app/api/keys': 'session',
  'POST /app/api/keys': 'session',
  'PATCH /app/api/keys/:id': 'session',
  'DELETE /app/api/keys/:id': 'session',
  'POST /app/api/keys/:id/rotate': 'session',
  'GET /app/api/usage': 'session',
  'GET /app/api/credits': 'session',
  'GET /app/api/catalog': 'session',
  'GET /app/api/codes': 'session',
  'GET /app/api/example': 'anyone',
  'POST /app/api/medicare': 'session',
  'GET /app/api/providers': 'session',
  'GET /app/api/providers/:kind/:id': 'session',
  'GET /app/api/data': 'session',
  'GET /app/api/data/files': 'session',
  'GET /app/api/data/source': 'session',
  // Present only where the web application has been built.
  ...(webIsBuilt() && {
    'GET /assets/*': 'anyone',
    ...Object.fromEntries(pagePaths.map((path) => [`GET ${path}`, 'anyone'] as const)),
  }),
}

/** Every address of the built server, from the tree that its router prints. */
function addresses(app: FastifyInstance): string[] {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part] = /^([│ ]*)[├└]── (\S+) \(/.exec(line) ?? []
      if (indent === undefined || part === undefined) return []
      const depth = indent.length / 4
      above[depth] = (depth === 0 ? '' : above[depth - 1]!) + part
      return [above[depth]]
    })
    .filter((address) => !address.endsWith('*'))
}

// The tree leaves out the slash before a wildcard, so these are told apart by their number alone.
const wildcards = webIsBuilt() ? ['/assets/*', ...pagePaths.filter((path) => path.endsWith('*'))] : []
const preflight = 1

/** The methods of an address: what a method that it does not take is told. HEAD goes with GET. */
async function methodsOf(app: FastifyInstance, url: string): Promise<string[]> {
  for (const method of ['PUT', 'OPTIONS'] as const) {
    const { statusCode, headers } = await app.inject({ method, url })
    if (statusCode === 405)
      return String(headers['allow'])
        .split(', ')
        .filter((name) => name !== 'HEAD')
  }
  throw new Error(`${url} takes both PUT and OPTIONS: ask it otherwise`)
}

it('knows who may call every route of the server', async () => {
  const { app } = await openWebApp()
  const routes = await Promise.all(
    [...addresses(app), ...wildcards].map(async (url) =>
      (await methodsOf(app, url)).map((method) => `${method} ${url}`),
    ),
  )
  expect(routes.flat().sort()).toEqual(Object.keys(mayCall).sort())
  expect(app.printRoutes({ commonPrefix: false }).match(/── \* \(/g)).toHaveLength(
    wildcards.length + preflight,
  )
})

it('lets in whom the list names and nobody else', async () => {
  const webApp = await openWebApp({ RATEBOOK_RATE_BURST: '1000' })
  const { admin, member } = await adminAndMember(webApp)
  const credentials: Record<string, Record<string, string>> = {
    nothing: {},
    key: { authorization: `Bearer ${admin.apiKey}` },
    member: { cookie: member.browser.cookie!, 'x-csrf-token': member.browser.csrfToken! },
    elsewhere: { 'x-forwarded-for': '203.0.113.9' },
  }
  /** Whether a credential is turned away for who it is, rather than for what it asks. */
  const turnedAway = async (route: string, who: string) => {
    const [method, url] = route.split(' ') as ['GET', string]
    const answer = await webApp.app.inject({ method, url, headers: credentials[who]! })
    const { code } = (/json/.test(String(answer.headers['content-type'])) ? answer.json() : {}) as {
      code?: string
    }
    return (
      code === 'unauthenticated' || code === 'admin_required' || (url === '/metrics' && code === 'not_found')
    )
  }
  const letIn: Partial<Record<(typeof mayCall)[string], string[]>> = {
    anyone: ['nothing', 'key', 'member', 'elsewhere'],
    'this machine': ['nothing', 'key', 'member'],
    'key or session': ['key', 'member'],
    'admin by key or session': ['key'],
    session: ['member'],
    admin: [],
  }
  // Last, since it ends the session.
  const routes = Object.entries(mayCall).sort(([route]) => (route.endsWith('/log-out') ? 1 : -1))
  for (const [route, who] of routes) {
    if (!letIn[who]) continue
    const got: string[] = []
    for (const name of Object.keys(credentials)) if (!(await turnedAway(route, name))) got.push(name)
    expect({ route, letIn: got }).toEqual({ route, letIn: letIn[who] })
  }
})
