import { generateKeyPairSync } from 'node:crypto'
import { type Configuration, errors, interactionPolicy, type JWKS, Provider } from 'oidc-provider'
import { RateLimit } from '../accounts/rate-limit.ts'
import { signature } from '../accounts/tokens.ts'
import type { Records } from '../records/records.ts'
import { recordsAdapter } from './adapter.ts'
import { fetchClientDocument } from './client-documents.ts'
import { isLoopback, redirectProblem, secretHolds } from './clients.ts'
import { authMethods, oauthPaths, toolResources, toolScope } from './metadata.ts'

export interface OAuthSettings {
  readonly records: Records
  /** The public address of this server: it issues the tokens, and its tool server takes them. */
  readonly baseUrl: string
  readonly secret: string
  readonly now: () => number
  /** Where a user is asked to log in and to agree. */
  readonly interactionPath: (uid: string) => string
  readonly errorPage: (says: string) => string
  /** How client-id metadata documents are fetched; the default refuses addresses inside the operator's network. */
  readonly fetchDocument?: typeof fetch
}

const minute = 60
const day = 24 * 60 * minute
const lifeS = {
  accessToken: 60 * minute,
  code: minute,
  /** Since the last refresh. */
  refreshToken: 30 * day,
  grant: 365 * day,
  interaction: 30 * minute,
  session: 10 * minute,
}

// Documents fetched for one caller: twenty at once, then one every ten seconds.
const documentRate = { perSecond: 0.1, burst: 20 }

/** The authorisation server: oidc-provider, told who we are. Everything it keeps is in the records store. */
export async function oauthProvider(settings: OAuthSettings): Promise<Provider> {
  const provider = new Provider(settings.baseUrl, await configuration(settings))
  // What reaches us has been through the operator's proxy; the door says which address it was sent to.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function compare(
    this: { clientSecret?: string },
    sent: string,
  ) {
    return secretHolds(this.clientSecret, sent)
  }
  return provider
}

async function configuration({
  records,
  baseUrl,
  secret,
  now,
  interactionPath,
  errorPage,
  fetchDocument = fetchClientDocument,
}: OAuthSettings): Promise<Configuration> {
  const resources = toolResources(baseUrl)
  const limit = new RateLimit(now)
  return {
    adapter: recordsAdapter(records, now),
    jwks: await signingKeys(records),
    clientAuthMethods: [...authMethods],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    scopes: [toolScope, 'offline_access'],
    responseTypes: ['code'],
    routes: oauthPaths,
    cookies: {
      keys: [signature(secret, 'oauth cookies')],
      names: {
        session: 'ratebook_oauth',
        interaction: 'ratebook_oauth_interaction',
        resume: 'ratebook_oauth_resume',
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: lifeS.accessToken,
      AuthorizationCode: lifeS.code,
      RefreshToken: lifeS.refreshToken,
      Grant: lifeS.grant,
      Interaction: lifeS.interaction,
      Session: lifeS.session,
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    clientBasedCORS: () => true,
    fetch: fetchDocument,
    extraClientMetadata: {
      properties: ['application_type'],
      validator: (_ctx, _key, _value, metadata) => tidyClient(metadata as ClientGiven),
    },
    interactions: {
      url: (_ctx, { uid }) => interactionPath(uid),
      policy: askEveryTime(),
    },
    loadExistingGrant: async ({ oidc }) => {
      const { grantId } = (oidc.result?.consent ?? {}) as { grantId?: string }
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
    findAccount: async (_ctx, id, token) =>
      (await mayStillAct(records, id, token && 'grantId' in token ? token.grantId : undefined))
        ? { accountId: id, claims: async () => ({ sub: id }) }
        : undefined,
    renderError: async (ctx, out) => {
      ctx.type = 'html'
      ctx.body = errorPage([out.error, out.error_description].filter(Boolean).join(': '))
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: async ({ ip }) => limit.take(ip, documentRate).allowed,
      },
      resourceIndicators: {
        enabled: true,
        // A client that names no resource means the only one there is.
        defaultResource: async (_ctx, _client, oneOf) => oneOf?.[0] ?? resources[0]!,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          if (!resources.includes(resource.replace(/\/$/, ''))) throw new errors.InvalidTarget()
          return {
            scope: toolScope,
            audience: resource.replace(/\/$/, ''),
            accessTokenTTL: lifeS.accessToken,
            accessTokenFormat: 'opaque',
          }
        },
      },
    },
  }
}

/** Log-in and consent are asked for in one step at every authorisation: nothing is let in by an old session alone. */
function askEveryTime() {
  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  const login = policy.get('login')!
  for (const reason of login.checks.map((check) => check.reason)) login.checks.remove(reason)
  login.checks.add(
    new Check('not_asked_yet', 'the user has not been asked yet', 'login_required', ({ oidc }) =>
      oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  )
  return policy
}

interface ClientGiven {
  application_type?: string
  redirect_uris?: readonly string[]
  scope?: string
}

/**
 * Takes clients as they register in the field: programs on the user's machine do not say that they are native,
 * and their redirect address has another port at every start (RFC 8252, 7.3). Scopes we do not know fall away.
 */
function tidyClient(given: ClientGiven): void {
  const uris = (Array.isArray(given.redirect_uris) ? given.redirect_uris : []).flatMap(
    (uri) => URL.parse(uri) ?? [],
  )
  for (const uri of uris) {
    const problem = redirectProblem(uri.href)
    if (problem) throw new errors.InvalidRedirectUri(`${uri.href}: ${problem}`)
  }
  const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'
  given.application_type = uris.some((uri) => !isWeb(uri) || isLoopback(uri)) ? 'native' : 'web'
  if (typeof given.scope === 'string') {
    const known = given.scope.split(' ').filter((scope) => scope === toolScope || scope === 'offline_access')
    if (known.length > 0) given.scope = known.join(' ')
    else delete given.scope
  }
}

/** Whether a user exists and, where a grant is named, still belongs to the organisation it was given for. */
async function mayStillAct(records: Records, userId: string, grantId: string | undefined): Promise<boolean> {
  const { db } = records
  const found =
    grantId === undefined
      ? await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
      : await db
          .selectFrom('oauth_connections as c')
          .innerJoin('memberships as m', (join) =>
            join.onRef('m.user_id', '=', 'c.user_id').onRef('m.organization_id', '=', 'c.organization_id'),
          )
          .select('c.grant_id')
          .where('c.grant_id', '=', grantId)
          .where('c.user_id', '=', userId)
          .where('c.ended_at', 'is', null)
          .executeTakeFirst()
  return found !== undefined
}

/** The key pair of this deployment, made once. Our tokens are opaque; the library wants a key to start. */
async function signingKeys(records: Records): Promise<JWKS> {
  const name = 'oauth keys'
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const made = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'ratebook-1' }
  await records.db
    .insertInto('secrets')
    .values({ name, value: JSON.stringify({ keys: [made] }), created_at: Date.now() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await records.db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return JSON.parse(value) as JWKS
}
