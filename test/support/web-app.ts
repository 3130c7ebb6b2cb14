import { randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect } from 'vitest'
import {
  type AppOperationName,
  appOperations,
  type AppRequest,
  type AppResponse,
} from '../../src/operations/account.ts'
import type { Answers } from '../../src/service.ts'
import { FakeClock, testServer } from './service.ts'

export const password = 'a long password'

/** The web application's server, a clock, and the mails it would have sent. */
export async function openWebApp(env: Readonly<Record<string, string>> = {}, answers: Answers = {}) {
  const mails: string[] = []
  const clock = new FakeClock()
  const { app, service } = await testServer({ env, answers, clock, log: (text) => mails.push(text) })

  /** The token of the newest mail with a link to this page. */
  const tokenFor = (page: string) => {
    const link = mails.findLast((mail) => mail.includes(`/${page}?token=`))
    return new RegExp(`/${page}\\?token=([\\w-]+)`).exec(link ?? '')?.[1] ?? ''
  }
  return { app, service, clock, mails, tokenFor, browser: () => new Browser(app) }
}

export type WebApp = Awaited<ReturnType<typeof openWebApp>>

/** A browser on one of our pages: keeps the cookie, and sends the token that the page was given. */
export class Browser {
  readonly #app: FastifyInstance
  cookie: string | undefined
  csrfToken: string | undefined

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  async send<Name extends AppOperationName>(
    name: Name,
    sent: Partial<AppRequest<Name>> | Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    const { method, path } = appOperations[name]
    const { id, ...rest } = sent as Record<string, unknown>
    const url = path.replace(':id', String(id))
    const query = new URLSearchParams(rest as Record<string, string>).toString()
    const answer = await this.#app.inject({
      method,
      url: method === 'GET' && query ? `${url}?${query}` : url,
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(this.csrfToken && { 'x-csrf-token': this.csrfToken }),
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(method !== 'GET' && { payload: JSON.stringify(rest) }),
    } as InjectOptions)
    const [given] = answer.cookies
    if (given) this.cookie = given.value ? `${given.name}=${given.value}` : undefined
    const body: unknown = answer.body ? answer.json() : undefined
    const token = (body as { csrfToken?: string } | undefined)?.csrfToken
    if (token) this.csrfToken = token
    return answer
  }

  /** The answer to a call that must succeed, in the shape that the operation promises. */
  async get<Name extends AppOperationName>(
    name: Name,
    sent: Partial<AppRequest<Name>> | Record<string, unknown> = {},
  ): Promise<AppResponse<Name>> {
    const answer = await this.send(name, sent)
    expect(`${answer.statusCode} ${answer.body}`).toMatch(new RegExp(`^${appOperations[name].status} `))
    const body: unknown = answer.body ? answer.json() : undefined
    return appOperations[name].response.parse(body) as AppResponse<Name>
  }
}

/** A browser whose user has just signed up. */
export async function signedUpBrowser(webApp: WebApp, email = `${randomUUID()}@example.org`) {
  const browser = webApp.browser()
  return {
    browser,
    email,
    ...(await browser.get('signUp', { email, password, organization: 'Sample Clinic' })),
  }
}

/** Two users of one organisation: the admin who signed up, and a member who was invited. */
export async function adminAndMember(webApp: WebApp) {
  const admin = await signedUpBrowser(webApp)
  await admin.browser.get('invite', { email: 'member@example.org', role: 'member' })
  webApp.clock.advance(1_000)
  const browser = webApp.browser()
  const me = await browser.get('acceptInvitation', { token: webApp.tokenFor('invitation'), password })
  return { admin, member: { browser, user: me.user } }
}
