import { lookup } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const bytesMost = 64 * 1024

/** Addresses that are not the public internet: this machine, private and shared networks, documentation, multicast. */
const notPublic = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6')

/** Whether an address may be asked for a document. IPv4 addresses written as IPv6 are refused: nobody publishes them. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return !canonical.startsWith('::') && !notPublic.check(canonical, 'ipv6')
}

/** Resolves a name and refuses it when any of its addresses is not public: the address that was judged is the one connected to. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const refused = found.find(({ address }) => !isPublicAddress(address))
    const first = found[0]
    if (refused || !first) return callback(new Error(`${hostname} is not on the public internet`), '', 0)
    if (options.all) return callback(null, found)
    callback(null, first.address, first.family)
  })
}

/** Fetches a client's own description from the address it names, and from nowhere inside the operator's network. */
export async function fetchClientDocument(
  address: string | URL | Request,
  options: RequestInit = {},
): Promise<Response> {
  const url = new URL(address instanceof Request ? address.url : address)
  if (url.protocol !== 'https:') throw new Error('Only https addresses are fetched')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Node asks no resolver about a literal address, so the look-up above would not see it.
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Error(`${host} is not on the public internet`)
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: 'GET',
        agent: false,
        lookup: publicLookup,
        headers: { accept: 'application/json' },
        ...(options.signal && { signal: options.signal }),
      },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > bytesMost) answer.destroy(new Error('The document is too large'))
          else chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value] as [string, string]] : [],
          )
          const status = answer.statusCode ?? 502
          const empty = status === 204 || status === 304 || status < 200
          resolve(
            new Response(empty ? null : Buffer.concat(chunks), { status: Math.max(status, 200), headers }),
          )
        })
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
