import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Caller } from '../accounts/callers.ts'
import { inTime } from '../accounts/in-time.ts'
import { Failure } from '../errors.ts'
import { parseRequest } from '../operations/parse.ts'
import { type ToolName, tools } from '../operations/tools.ts'
import type { Tool } from '../operations/tool.ts'
import type { CallContext, Service } from '../service.ts'
import { toolAnswers, type ToolAnswer } from './answers.ts'
import { failureText } from './failure-text.ts'
import { payersWithData } from './payers-with-data.ts'
import { textTable } from './text-table.ts'

/** Who calls a tool, and how the call is told to stop. */
export interface ToolCall {
  readonly caller: Caller
  /** Fires when the client leaves or cancels. */
  readonly gone: readonly AbortSignal[]
  /** Takes the headers of limits and credits. */
  readonly header: (name: string, value: string) => void
}

export const isTool = (name: string): name is ToolName => Object.hasOwn(tools, name)

/** Runs a tool through the gate. Whatever the caller can mend comes back as a tool error that says how. */
export async function callTool(
  service: Service,
  name: ToolName,
  sent: unknown,
  { caller, gone, header: sendHeader }: ToolCall,
): Promise<CallToolResult> {
  const tool: Tool = tools[name]
  const ask = toolAnswers[name] as (
    service: Service,
    request: unknown,
    context: CallContext,
  ) => Promise<ToolAnswer>
  // One controller and one timer: signals that follow other signals cost more than the rest of a call.
  const stop = new AbortController()
  const leave = () => stop.abort(new Failure('request_timeout', 'The client left.'))
  for (const signal of gone)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  const timer = setTimeout(() => stop.abort(), service.settings.RATEBOOK_ANSWER_TIMEOUT_MS)
  const { signal } = stop
  const told: Record<string, string> = {}
  const header = (field: string, value: string) => {
    told[field] = value
    sendHeader(field, value)
  }
  try {
    const { structured, tables } = await service.gate.pass({
      gated: { name, credits: tool.credits, toolName: name },
      who: async () => caller,
      parse: () => parseRequest(tool.input, sent ?? {}),
      work: (request) =>
        inTime(ask(service, request, { caller, signal, header, sent: () => undefined }), signal),
      header,
    })
    return {
      content: [{ type: 'text', text: resultText(tables, structured.advice) }],
      structuredContent: structured,
      _meta: creditMeta(told),
    }
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('internal', undefined, { cause: error })
    if (failure.code === 'internal')
      service.log(
        `The tool ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
    const loaded = failure.code === 'invalid_request' ? await payersWithData(service, statesIn(sent)) : []
    return {
      isError: true,
      content: [{ type: 'text', text: failureText(failure, sent, service.address.baseUrl, loaded) }],
      _meta: { ...creditMeta(told), 'ratebook/failure': failure.code },
    }
  } finally {
    clearTimeout(timer)
    for (const one of gone) one.removeEventListener('abort', leave)
  }
}

/** The states that arguments name, whatever else is wrong with them. */
function statesIn(sent: unknown): readonly unknown[] {
  const states = (sent as { filters?: { states?: unknown } | null } | null | undefined)?.filters?.states
  return Array.isArray(states) ? (states as unknown[]) : []
}

function resultText(tables: ToolAnswer['tables'], advice: string | undefined): string {
  const parts = tables
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => (title ? `${title}\n\n${textTable(rows)}` : textTable(rows)))
  return [...parts, ...(advice ? [advice] : [])].join('\n\n') || 'No rows.'
}

function creditMeta(told: Readonly<Record<string, string>>): Record<string, unknown> {
  const [charged, remaining] = [told['X-Credits-Charged'], told['X-Credits-Remaining']]
  return {
    ...(charged !== undefined && { 'ratebook/creditsCharged': Number(charged) }),
    ...(remaining !== undefined && { 'ratebook/creditsRemaining': Number(remaining) }),
  }
}
