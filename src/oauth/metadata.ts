/** The one scope: reading through the tools. */
export const toolScope = 'ratebook:mcp:read'
export const toolPath = '/api/v1/open/mcp'

export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const

/** What a client learns of the authorisation server (RFC 8414). */
export function authorizationServerMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorization,
    token_endpoint: issuer + oauthPaths.token,
    registration_endpoint: issuer + oauthPaths.registration,
    revocation_endpoint: issuer + oauthPaths.revocation,
    jwks_uri: issuer + oauthPaths.jwks,
    scopes_supported: [toolScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/mcp/doc`,
  }
}

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const

/** What a client learns of the tool server (RFC 9728): which authorisation server speaks for it. */
export function protectedResourceMetadata(resource: string, issuer: string): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [toolScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Ratebook tool server',
    resource_documentation: `${issuer}/mcp/doc`,
  }
}

/**
 * Every name of the tool server: its own, and where it listens on this machine only,
 * the other names of the machine, which people type as they like.
 */
export function toolResources(baseUrl: string): string[] {
  const url = new URL(baseUrl)
  const loopback = ['localhost', '127.0.0.1', '[::1]']
  const hosts = loopback.includes(url.hostname) ? [url.hostname, ...loopback] : [url.hostname]
  return [...new Set(hosts)].map((host) => {
    url.hostname = host
    return url.origin + url.pathname.replace(/\/$/, '') + toolPath
  })
}
