import { basename } from 'node:path'

/** Whether a source is fetched over HTTP rather than read from this machine. */
export const isUrl = (source: string) => /^https?:\/\//i.test(source)

// Parameters that grant access rather than name a file: CloudFront, S3, Azure, Google, Akamai, and the usual words.
const tokenNames =
  /^(expires?|signature|key-pair-id|policy|awsaccesskeyid|googleaccessid|x-(amz|goog|ms)-.*|s(v|r|t|e|p|ig|ip|pr|s|rt|ktid|koid|kt|ke|ks|kv|dd)|hdnts|hdnea|__token__|.*(token|auth|secret|password|api-?key|session|credential|jwt).*)$/i

// A long run of random characters is a token whatever its name.
const looksSecret = (value: string) => value.length >= 32 && !/[ /]/.test(value)

/**
 * The address of a file without what grants access to it: the form that is stored, compared and logged.
 * The same file keeps the same address when a publisher signs it anew.
 */
export function addressWithoutToken(address: string): string {
  if (!isUrl(address) || !URL.canParse(address)) return address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  url.hash = ''
  // Built by hand: deleting from searchParams would write the kept parameters in another spelling.
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return name !== '' && !tokenNames.test(plain(name)) && !looksSecret(plain(value))
    })
  url.search = kept.length > 0 ? `?${kept.join('&')}` : ''
  return url.href
}

/**
 * How a remote reference is stored: as written where nothing in it grants access, else without that, and with a digest of the whole
 * behind a hash mark, because what looks like a token may be all that tells two references apart.
 */
export function storedLocation(location: string): string {
  if (!URL.canParse(location)) return location
  const url = new URL(location)
  const bare = isUrl(location) ? addressWithoutToken(location) : `${url.protocol}//${url.host}${url.pathname}`
  const secret = isUrl(location) ? bare !== url.href : url.username + url.password + url.search !== ''
  if (!secret) return location
  return `${bare}#${digest(location).slice(0, 16)}`
}

/** Text for people and logs in which every address has lost its token. */
export const textWithoutTokens = (text: string) =>
  text.replaceAll(/https?:\/\/[^\s"'<>)\]]+/gi, (address) => addressWithoutToken(address))

/** The file name at the end of a path or address. */
export function addressName(address: string): string {
  if (!isUrl(address) || !URL.canParse(address)) return basename(address)
  const url = new URL(address)
  const name = plain(basename(url.pathname))
  // Some publishers serve every file from one script and name it in a parameter.
  const named = [...url.searchParams.values()].find((value) => /\.(json|gz|zip)$/i.test(value))
  return /\.(json|gz|zip)$/i.test(name) || named === undefined ? name : basename(named)
}

/** The host that a bound on parallel connections counts by. */
export const addressHost = (address: string) => (URL.canParse(address) ? new URL(address).host : '')

/** A short stable name for an address, for folders and files. */
export const addressKey = (address: string, ...more: string[]) =>
  digest([addressWithoutToken(address), ...more].join('\n')).slice(0, 24)

// node:crypto is loaded by the first digest: loading it takes longer than the rest of a small file's reading has to.
const digest = (text: string) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex')

function plain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
