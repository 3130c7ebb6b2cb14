import type { Dispatcher } from 'undici'

export interface HttpOptions {
  /** Parallel connections to one host. */
  readonly perHost?: number
  /** Tries without a byte of progress before a file is given up. */
  readonly tries?: number
  /** First pause between tries; it doubles each time, up to a minute. */
  readonly pauseMs?: number
  /** Longest silence of a server. */
  readonly silenceMs?: number
}

/** How this process speaks HTTP: one pool of connections, bounded by host. */
export interface HttpClient {
  readonly request: (address: string, options: RequestOptions) => Promise<Dispatcher.ResponseData>
  readonly tries: number
  readonly pauseMs: number
  close(): Promise<void>
}

interface RequestOptions {
  readonly headers: Record<string, string>
  readonly signal?: AbortSignal
}

export function httpClient(options: HttpOptions = {}): HttpClient {
  let pool: Promise<Pool> | undefined
  return {
    async request(address, { headers, signal }) {
      // Opened by the first request: most threads read local files and never make one.
      const { dispatcher, request } = await (pool ??= opened(options))
      return request(address, { dispatcher, headers, ...(signal && { signal }) })
    },
    tries: options.tries ?? 6,
    pauseMs: options.pauseMs ?? 500,
    close: async () => (await pool)?.dispatcher.destroy(),
  }
}

interface Pool {
  readonly dispatcher: Dispatcher
  readonly request: (address: string, options: object) => Promise<Dispatcher.ResponseData>
}

async function opened(options: HttpOptions): Promise<Pool> {
  const { Agent, EnvHttpProxyAgent, request } = await import('undici')
  const limits = {
    connections: options.perHost ?? 4,
    headersTimeout: options.silenceMs ?? 60_000,
    bodyTimeout: options.silenceMs ?? 60_000,
    connect: { timeout: Math.min(options.silenceMs ?? 20_000, 20_000) },
  }
  const proxied = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some((name) => process.env[name])
  return { dispatcher: proxied ? new EnvHttpProxyAgent(limits) : new Agent(limits), request }
}
