import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as keys from '../accounts/api-keys.ts'
import * as links from '../accounts/email-links.ts'
import * as invitations from '../accounts/invitations.ts'
import { changeOrganization, creditGrants, organizationById } from '../accounts/organizations.ts'
import { RateLimit } from '../accounts/rate-limit.ts'
import {
  closeSession,
  openSession,
  type Session,
  sessionOf,
  switchOrganization,
} from '../accounts/sessions.ts'
import { usage } from '../accounts/usage.ts'
import * as users from '../accounts/users.ts'
import { Failure } from '../errors.ts'
import { connections, disconnect } from '../oauth/connections.ts'
import { appOperations, type AppResponse } from '../operations/account.ts'
import type { Service } from '../service.ts'
import { type AppHandlers, serveApp } from './serve-app.ts'
import {
  clearSessionCookie,
  csrfToken,
  requestSession,
  sessionCookie,
  sessionLifeMs,
  setSessionCookie,
} from './sessions.ts'

// Guessing a password: five tries at once, then one a minute, for an address; ten times that for a machine.
const triesPerAddress = { perSecond: 1 / 60, burst: 5 }
const triesPerMachine = { perSecond: 10 / 60, burst: 50 }

/** Serves the account operations of the web application. */
export function serveAccount(app: FastifyInstance, service: Service): void {
  serveApp(app, service, appOperations, accountHandlers(service))
}

function accountHandlers(service: Service): AppHandlers<typeof appOperations> {
  const { records, mailer, now } = service
  const limit = new RateLimit(now)

  const slowGuessing = (request: FastifyRequest, address: string) => {
    const turns = [
      limit.take(`machine ${request.ip}`, triesPerMachine),
      limit.take(`address ${address.toLowerCase()}`, triesPerAddress),
    ]
    const waitS = Math.max(...turns.map(({ retryInS }) => retryInS))
    if (waitS > 0)
      throw new Failure('rate_limited', `Too many tries. Try again in ${waitS} s.`, {
        headers: { 'Retry-After': String(waitS) },
      })
  }

  const logIn = async (reply: FastifyReply, userId: string, organizationId?: string) => {
    const token = await openSession(records, userId, sessionLifeMs(service), organizationId, now())
    setSessionCookie(service, reply, token)
    return (await sessionOf(records, token, sessionLifeMs(service), now()))!
  }

  const me = async (session: Session): Promise<AppResponse<'me'>> => {
    const { id, name, role, suspended } = session.organization
    const { credits } = await organizationById(records, id)
    return {
      user: session.user,
      organization: { id, name, role, suspended, credits },
      organizations: await users.membershipsOf(records, session.user.id),
      csrfToken: csrfToken(service, session.id),
    }
  }

  /** Admins manage every key; members the ones they made. */
  const mayManage = async (session: Session, id: string) => {
    const key = await keys.keyById(records, session.organization.id, id)
    if (session.organization.role !== 'admin' && key.createdBy !== session.user.id)
      throw new Failure('admin_required', 'Only an admin may manage keys that others made.')
  }

  return {
    signUpOffer: async () => ({
      isOpen: service.settings.RATEBOOK_SIGN_UP,
      credits: service.settings.RATEBOOK_SIGN_UP_CREDITS,
    }),
    async signUp(sent, { request, reply }) {
      if (!service.settings.RATEBOOK_SIGN_UP)
        throw new Failure('forbidden', 'Sign-up is closed on this server. Ask its operator for an account.')
      slowGuessing(request, sent.email)
      const { user, organization, apiKey, key } = await users.signUp(
        records,
        sent,
        service.settings.RATEBOOK_SIGN_UP_CREDITS,
        now(),
      )
      await sendQuietly(
        service,
        links.sendVerification(records, mailer, service.address.baseUrl, user, now()),
      )
      const session = await logIn(reply, user.id)
      const { id, name, credits } = organization
      return {
        apiKey,
        key,
        user,
        organization: { id, name, credits },
        csrfToken: csrfToken(service, session.id),
      }
    },
    async logIn(sent, { request, reply }) {
      slowGuessing(request, sent.email)
      const user = await users.userByPassword(records, sent.email, sent.password)
      return me(await logIn(reply, user.id))
    },
    async logOut(_, { request, reply }) {
      await closeSession(records, request.cookies[sessionCookie]!)
      clearSessionCookie(reply)
    },
    me: (_, { session }) => me(session),
    async changePassword(sent, { request, session }) {
      slowGuessing(request, session.user.email)
      await users.userByPassword(records, session.user.email, sent.currentPassword)
      await users.setPassword(records, session.user.id, sent.newPassword, session.id)
    },
    async sendVerification(_, { request, session }) {
      slowGuessing(request, session.user.email)
      if (!session.user.emailVerified)
        await sendQuietly(
          service,
          links.sendVerification(records, mailer, service.address.baseUrl, session.user, now()),
        )
    },
    verifyEmail: (sent) => links.verifyEmail(records, sent.token, now()),
    async askReset(sent, { request }) {
      slowGuessing(request, sent.email)
      // Not awaited: sending takes time, and that time would tell whether the address has an account.
      void sendQuietly(service, links.sendReset(records, mailer, service.address.baseUrl, sent.email, now()))
    },
    async resetPassword(sent, { request }) {
      slowGuessing(request, 'reset')
      await links.resetPassword(records, sent.token, sent.password, now())
    },
    async switchOrganization(sent, { request, reply, session }) {
      await switchOrganization(records, session, sent.organizationId)
      return me((await requestSession(service, request, reply))!)
    },
    async renameOrganization(sent, { session }) {
      const { id, name } = await changeOrganization(records, session.organization.id, { name: sent.name })
      return { id, name }
    },
    members: (_, { session }) => users.members(records, session.organization.id),
    changeMember: (sent, { session }) =>
      users.changeMember(records, session.organization.id, sent.id, sent.role),
    removeMember: (sent, { session }) => users.changeMember(records, session.organization.id, sent.id, null),
    invitations: (_, { session }) => invitations.openInvitations(records, session.organization.id, now()),
    invite: (sent, { session }) =>
      invitations.invite(records, mailer, service.address.baseUrl, session, sent.email, sent.role, now()),
    revokeInvitation: (sent, { session }) =>
      invitations.revokeInvitation(records, session.organization.id, sent.id, now()),
    async acceptInvitation(sent, { request, reply, session }) {
      slowGuessing(request, 'invitation')
      const joined = await invitations.acceptInvitation(
        records,
        sent.token,
        { password: sent.password, session },
        now(),
      )
      return me(await logIn(reply, joined.userId, joined.organizationId))
    },
    keys: (_, { session }) => keys.keysOf(records, session.organization.id),
    createKey: ({ name, groups = null, tools = null, expiresAt = null }, { session }) =>
      keys.createKey(records, session.organization.id, name, {
        createdBy: session.user.id,
        limits: { groups, tools, expiresAt },
        now: now(),
      }),
    async changeKey({ id, name, groups, tools, expiresAt }, { session }) {
      await mayManage(session, id)
      return keys.changeKey(records, session.organization.id, id, {
        ...(name !== undefined && { name }),
        ...(groups !== undefined && { groups }),
        ...(tools !== undefined && { tools }),
        ...(expiresAt !== undefined && { expiresAt }),
      })
    },
    async rotateKey({ id, overlapHours }, { session }) {
      await mayManage(session, id)
      return keys.rotateKey(records, session.organization.id, id, Math.round(overlapHours * 3_600_000), {
        createdBy: session.user.id,
        now: now(),
      })
    },
    async revokeKey({ id }, { session }) {
      await mayManage(session, id)
      return keys.revokeKey(records, session.organization.id, id, now())
    },
    usage: ({ from, to, by }, { session }) =>
      usage(records, session.organization.id, from ?? daysAgo(now(), 29), to ?? daysAgo(now(), 0), by),
    async credits(_, { session }) {
      const { credits } = await organizationById(records, session.organization.id)
      return { credits, grants: await creditGrants(records, session.organization.id) }
    },
    clients: (_, { session }) => connections(records, session.organization.id, onlyOwn(session), now()),
    disconnectClient: ({ id }, { session }) =>
      disconnect(records, session.organization.id, onlyOwn(session), id, now()),
  }
}

/** Admins manage every client of the organisation; members the ones they let in. */
const onlyOwn = ({ user, organization }: Session) => (organization.role === 'admin' ? undefined : user.id)

const daysAgo = (now: number, days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10)

/** A mail server that is down must not undo what the user did; they can ask for the mail again. */
async function sendQuietly(service: Service, sending: Promise<void>): Promise<void> {
  try {
    await sending
  } catch (error) {
    service.log(`A mail could not be sent: ${(error as Error).message}`)
  }
}
