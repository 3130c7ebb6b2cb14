import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'
import { operationGroups } from './operation.ts'

/** Who may use an operation of the web application. */
export type Access = 'anyone' | 'session' | 'admin'

/** An operation of the web application: like those of the API, but behind a session instead of a key, and free. */
export interface AppOperation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: `/app/api/${string}`
  readonly access: Access
  readonly status: 200 | 201 | 202 | 204
  readonly summary: string
  readonly request: Request
  readonly response: Response
}

const appOperation = <Request extends z.ZodType, Response extends z.ZodType>(
  declared: AppOperation<Request, Response>,
) => declared

// PostgreSQL keeps every character but NUL.
const text = () => z.string().refine((value) => !value.includes('\0'), 'must not hold a NUL character')

const Email = z.email('not an e-mail address').max(254).describe('E-mail address')
const Password = z
  .string()
  .min(10, 'at least 10 characters')
  .max(200, 'at most 200 characters')
  .describe('At least 10 characters')
const Role = choice('role', ['admin', 'member'])
const Name = text().trim().min(1, 'must not be empty').max(200, 'at most 200 characters')
const Id = z.strictObject({ id: text().min(1).max(64) })
const Token = z.string().min(1).max(200)
const nothing = z.strictObject({})
const noAnswer = z.void()
const Instant = z.int().describe('Milliseconds since 1970')
const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'a day is YYYY-MM-DD')

const Groups = z
  .array(choice('endpoint group', operationGroups))
  .min(1)
  .nullable()
  .optional()
  .describe('Endpoint groups the key may call; null = all')
const Tools = z
  .array(z.string().min(1).max(100))
  .min(1)
  .nullable()
  .optional()
  .describe('Tools the key may use; null = all')
const ExpiresAt = Instant.nullable().optional().describe('When the key ends; null = never')

const User = z.object({ id: z.string(), email: z.string(), emailVerified: z.boolean() })
const Joined = z.object({ id: z.string(), name: z.string(), role: Role })

export const ApiKeyView = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  groups: z.array(z.string()).readonly().nullable(),
  tools: z.array(z.string()).readonly().nullable(),
  createdBy: z.string().nullable(),
  createdAt: Instant,
  expiresAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
  lastUsedAt: Instant.nullable(),
  replacedBy: z.string().nullable(),
})
const NewKey = z.object({ apiKey: z.string().describe('Shown this once; keep it'), key: ApiKeyView })

export const Me = z.object({
  user: User,
  organization: Joined.extend({ credits: z.number(), suspended: z.boolean() }),
  organizations: z.array(Joined),
  csrfToken: z.string().describe('Send it as X-CSRF-Token with every change'),
})

const InvitationView = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  createdAt: Instant,
  expiresAt: Instant,
})
const UsageView = z.array(
  z.object({
    name: z.string(),
    calls: z.number(),
    failures: z.number(),
    credits: z.number(),
    meanLatencyMs: z.number(),
  }),
)

/** Every operation behind the web application's account pages, by name. */
export const appOperations = {
  signUpOffer: appOperation({
    method: 'GET',
    path: '/app/api/sign-up',
    access: 'anyone',
    status: 200,
    summary: 'Whether anybody may sign up here, and the credits that come with it',
    request: z.strictObject({}),
    response: z.object({ isOpen: z.boolean(), credits: z.number() }),
  }),
  signUp: appOperation({
    method: 'POST',
    path: '/app/api/sign-up',
    access: 'anyone',
    status: 201,
    summary: 'Make an account with its organisation, first key and first credits',
    request: z.strictObject({ email: Email, password: Password, organization: Name }),
    response: NewKey.extend({
      user: User,
      organization: z.object({ id: z.string(), name: z.string(), credits: z.number() }),
      csrfToken: z.string(),
    }),
  }),
  logIn: appOperation({
    method: 'POST',
    path: '/app/api/log-in',
    access: 'anyone',
    status: 200,
    summary: 'Open a session',
    request: z.strictObject({ email: text().max(254), password: z.string().max(200) }),
    response: Me,
  }),
  logOut: appOperation({
    method: 'POST',
    path: '/app/api/log-out',
    access: 'session',
    status: 204,
    summary: 'End the session',
    request: nothing,
    response: noAnswer,
  }),
  me: appOperation({
    method: 'GET',
    path: '/app/api/me',
    access: 'session',
    status: 200,
    summary: 'Who is logged in',
    request: nothing,
    response: Me,
  }),
  changePassword: appOperation({
    method: 'POST',
    path: '/app/api/password',
    access: 'session',
    status: 204,
    summary: 'Change the password; other sessions end',
    request: z.strictObject({ currentPassword: z.string().max(200), newPassword: Password }),
    response: noAnswer,
  }),
  sendVerification: appOperation({
    method: 'POST',
    path: '/app/api/verify-email/send',
    access: 'session',
    status: 202,
    summary: 'Mail a new verification link',
    request: nothing,
    response: noAnswer,
  }),
  verifyEmail: appOperation({
    method: 'POST',
    path: '/app/api/verify-email',
    access: 'anyone',
    status: 204,
    summary: 'Confirm an address through its link',
    request: z.strictObject({ token: Token }),
    response: noAnswer,
  }),
  askReset: appOperation({
    method: 'POST',
    path: '/app/api/password-reset',
    access: 'anyone',
    status: 202,
    summary: 'Mail a reset link, if the address has an account',
    request: z.strictObject({ email: text().max(254) }),
    response: noAnswer,
  }),
  resetPassword: appOperation({
    method: 'POST',
    path: '/app/api/password-reset/confirm',
    access: 'anyone',
    status: 204,
    summary: 'Set a new password through a reset link',
    request: z.strictObject({ token: Token, password: Password }),
    response: noAnswer,
  }),
  switchOrganization: appOperation({
    method: 'POST',
    path: '/app/api/organization/switch',
    access: 'session',
    status: 200,
    summary: 'Look at another of your organisations',
    request: z.strictObject({ organizationId: text().max(64) }),
    response: Me,
  }),
  renameOrganization: appOperation({
    method: 'PATCH',
    path: '/app/api/organization',
    access: 'admin',
    status: 200,
    summary: 'Rename the organisation',
    request: z.strictObject({ name: Name }),
    response: z.object({ id: z.string(), name: z.string() }),
  }),
  members: appOperation({
    method: 'GET',
    path: '/app/api/members',
    access: 'session',
    status: 200,
    summary: 'Members and their roles',
    request: nothing,
    response: z.array(User.extend({ role: Role, since: Instant })),
  }),
  changeMember: appOperation({
    method: 'PATCH',
    path: '/app/api/members/:id',
    access: 'admin',
    status: 204,
    summary: 'Change the role of a member',
    request: Id.extend({ role: Role }),
    response: noAnswer,
  }),
  removeMember: appOperation({
    method: 'DELETE',
    path: '/app/api/members/:id',
    access: 'admin',
    status: 204,
    summary: 'Remove a member',
    request: Id,
    response: noAnswer,
  }),
  invitations: appOperation({
    method: 'GET',
    path: '/app/api/invitations',
    access: 'admin',
    status: 200,
    summary: 'Invitations that wait for an answer',
    request: nothing,
    response: z.array(InvitationView),
  }),
  invite: appOperation({
    method: 'POST',
    path: '/app/api/invitations',
    access: 'admin',
    status: 201,
    summary: 'Invite somebody by mail',
    request: z.strictObject({ email: Email, role: Role }),
    response: InvitationView,
  }),
  revokeInvitation: appOperation({
    method: 'DELETE',
    path: '/app/api/invitations/:id',
    access: 'admin',
    status: 204,
    summary: 'Withdraw an invitation',
    request: Id,
    response: noAnswer,
  }),
  acceptInvitation: appOperation({
    method: 'POST',
    path: '/app/api/invitations/accept',
    access: 'anyone',
    status: 200,
    summary: 'Join through an invitation; without an account, choose a password',
    request: z.strictObject({ token: Token, password: Password.optional() }),
    response: Me,
  }),
  keys: appOperation({
    method: 'GET',
    path: '/app/api/keys',
    access: 'session',
    status: 200,
    summary: 'The organisation’s API keys, newest first',
    request: nothing,
    response: z.array(ApiKeyView),
  }),
  createKey: appOperation({
    method: 'POST',
    path: '/app/api/keys',
    access: 'session',
    status: 201,
    summary: 'Make an API key; it is shown once',
    request: z.strictObject({ name: Name, groups: Groups, tools: Tools, expiresAt: ExpiresAt }),
    response: NewKey,
  }),
  changeKey: appOperation({
    method: 'PATCH',
    path: '/app/api/keys/:id',
    access: 'session',
    status: 200,
    summary: 'Rename a key or change what it may do',
    request: Id.extend({ name: Name.optional(), groups: Groups, tools: Tools, expiresAt: ExpiresAt }),
    response: ApiKeyView,
  }),
  rotateKey: appOperation({
    method: 'POST',
    path: '/app/api/keys/:id/rotate',
    access: 'session',
    status: 201,
    summary: 'Make a successor; the old key works until the overlap ends',
    request: Id.extend({
      overlapHours: z
        .number()
        .min(0)
        .max(24 * 30)
        .default(24),
    }),
    response: NewKey,
  }),
  revokeKey: appOperation({
    method: 'DELETE',
    path: '/app/api/keys/:id',
    access: 'session',
    status: 200,
    summary: 'End a key at once',
    request: Id,
    response: ApiKeyView,
  }),
  usage: appOperation({
    method: 'GET',
    path: '/app/api/usage',
    access: 'session',
    status: 200,
    summary: 'Calls and credits between two days, by day, key or operation',
    request: z.strictObject({
      from: Day.optional(),
      to: Day.optional(),
      by: choice('grouping', ['day', 'key', 'operation']).default('day'),
    }),
    response: UsageView,
  }),
  credits: appOperation({
    method: 'GET',
    path: '/app/api/credits',
    access: 'session',
    status: 200,
    summary: 'Credits left, and where they came from',
    request: nothing,
    response: z.object({
      credits: z.number(),
      grants: z.array(z.object({ credits: z.number(), reason: z.string(), grantedAt: Instant })),
    }),
  }),
  clients: appOperation({
    method: 'GET',
    path: '/app/api/clients',
    access: 'session',
    status: 200,
    summary: 'Tool clients connected to the organisation, newest first; members see their own',
    request: nothing,
    response: z.array(
      z.object({
        id: z.string(),
        clientId: z.string(),
        clientName: z.string(),
        userId: z.string(),
        email: z.string().describe('Who let it in'),
        connectedAt: Instant,
        lastUsedAt: Instant.nullable(),
      }),
    ),
  }),
  disconnectClient: appOperation({
    method: 'DELETE',
    path: '/app/api/clients/:id',
    access: 'session',
    status: 204,
    summary: 'Disconnect a tool client; its tokens end at once',
    request: Id,
    response: noAnswer,
  }),
} as const satisfies Record<string, AppOperation>

export type AppOperationName = keyof typeof appOperations
export type AppRequest<Name extends AppOperationName> = z.output<(typeof appOperations)[Name]['request']>
export type AppResponse<Name extends AppOperationName> = z.output<(typeof appOperations)[Name]['response']>
