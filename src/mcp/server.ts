import {
  type AuthInfo,
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type McpHttpHandler,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Caller } from '../accounts/callers.ts'
import { Failure } from '../errors.ts'
import type { Service } from '../service.ts'
import { callTool, isTool } from './call-tool.ts'
import { completions } from './completions.ts'
import { optionResources, optionTemplates, readOptions } from './options.ts'
import { filledPrompt, promptList } from './prompts.ts'
import { serverInfo } from './server-info.ts'
import { toolsFor } from './tool-list.ts'

const instructions = `Ratebook answers questions about US healthcare prices: the rates that health insurers (payers) negotiated with providers, from the files they publish, and Medicare's rates.
Find your way:
- Market question ("what does each payer pay cardiologists in Florida for an echo"): read search-rates-options-payers for the payers that have data, then search_market_percentile_negotiated_rates, grouped by payer and billingCode, with billingCodeModifiers ["none"] for the whole service; once for dollars, and once with metrics.comparedTo for percents of Medicare.
- Who is paid what in a market: search_market_negotiated_rates, sorted by rate.
- A provider known by name: search_providers first, then search_provider_fee_schedule with its npis, tins or ccns and its inNetworkPayers.
- Medicare's own amounts: search_medicare_rates.
Payers, states, specialties and statistics are fixed values: read the resources search-rates-options-payers, -taxonomies, -states, -aggregations, -negotiated-types, or send your best guess: a wrong value is answered with the nearest right ones and costs nothing.
Compare like with like: keep billingClasses, billingCodeModifiers and serviceCodes the same. Rates are published rates, not amounts paid. Each successful tool call costs one credit.`

// Lists change only with a release or when an operator changes what an organisation may use.
const listCache = { ttlMs: 5 * 60_000, cacheScope: 'private' as const }

/** What the door knows of the caller when it hands a request over. */
export interface ToolDoor {
  readonly caller: Caller
  readonly header: (name: string, value: string) => void
  /** Fires when the client leaves. */
  readonly gone: AbortSignal
}

/** More for the server to serve beside what it has: the conformance suite brings tools, resources and prompts of its own. */
export interface Fixtures {
  readonly options: Pick<ServerOptions, 'capabilities' | 'requestState'>
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplateType[]
  readonly prompts: readonly Prompt[]
  readonly call: (params: CallToolRequest['params'], context: ServerContext) => Promised<CallToolResult>
  readonly read: (uri: string) => ReadResourceResult | undefined
  readonly prompt: (params: GetPromptRequest['params'], context: ServerContext) => Promised<GetPromptResult>
}
type Promised<Result> = Promise<Result | InputRequiredResult> | undefined

/**
 * The tool server: every protocol revision on one address, nothing kept between requests.
 * The door has checked who is calling; it says so in `authInfo.extra`.
 */
export function toolServer(service: Service, fixtures?: Fixtures): McpHttpHandler {
  return createMcpHandler(({ authInfo }) => protocolServer(service, doorOf(authInfo), fixtures), {
    onerror: (error) => service.log(`Tool server: ${error.message}`),
    maxRequestBodySize: service.settings.RATEBOOK_BODY_LIMIT,
  })
}

export const authInfoOf = (token: string, clientId: string, scopes: string[], door: ToolDoor): AuthInfo => ({
  token,
  clientId,
  scopes,
  extra: { door },
})

function doorOf(authInfo: AuthInfo | undefined): ToolDoor {
  const door = authInfo?.extra?.['door'] as ToolDoor | undefined
  if (!door) throw new Failure('unauthenticated')
  return door
}

function protocolServer(service: Service, { caller, header, gone }: ToolDoor, more?: Fixtures): Server {
  const server = new Server(serverInfo, {
    ...more?.options,
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, ...more?.options.capabilities },
    instructions,
    cacheHints: {
      'tools/list': listCache,
      'prompts/list': listCache,
      'resources/list': listCache,
      'resources/templates/list': listCache,
      'resources/read': { ttlMs: 60_000, cacheScope: 'private' },
      'server/discover': listCache,
    },
  })
  server.setRequestHandler('tools/list', () => ({ tools: [...toolsFor(caller), ...(more?.tools ?? [])] }))
  server.setRequestHandler('tools/call', (request, context) => {
    const { params } = request
    const added = more?.call(params, context)
    if (added) return added
    if (!isTool(params.name))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name}. tools/list shows the tools.`,
      )
    return callTool(service, params.name, params.arguments, {
      caller,
      gone: [gone, context.mcpReq.signal],
      header,
    })
  })
  server.setRequestHandler('resources/list', () => ({
    resources: [...optionResources, ...(more?.resources ?? [])],
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...optionTemplates, ...(more?.templates ?? [])],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const read = more?.read(uri) ?? (await readOptions(service, caller, uri))
    if (!read) throw new ResourceNotFoundError(uri)
    return read
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: [...promptList, ...(more?.prompts ?? [])] }))
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const added = more?.prompt(params, context)
    if (added) return added
    try {
      const filled = filledPrompt(params.name, params.arguments)
      if (filled) return filled
    } catch (error) {
      if (error instanceof Failure) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
      throw error
    }
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name}.`)
  })
  server.setRequestHandler('completion/complete', ({ params: { argument } }) => ({
    completion: completions(argument.name, argument.value),
  }))
  return server
}
