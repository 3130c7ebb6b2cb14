import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'

/** Where an OpenAI-compatible service is, and how it is asked. */
export interface ChatService {
  readonly url: string
  readonly key?: string | undefined
  readonly model: string
  readonly timeoutMs: number
  /** How long it waits before the second try; twice as long before each further one. */
  readonly retryMs?: number
}

/** The service did not give an answer that can be used. The message is for the user, and has no secrets. */
export class ServiceUnavailable extends Error {}

/** The answer was cut off: less must be asked at a time. */
export class AnswerCutOff extends Error {}

const triesMost = 4
const answerBytesMost = 8_000_000
const waitMostMs = 60_000

/** Asks until there is an answer of the right shape: again after 429, 5xx, a lost connection or a wrong answer, with longer and longer pauses. */
export async function ask<Answer>(
  service: ChatService,
  question: { readonly system: string; readonly user: string; readonly schema: unknown },
  shape: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const body = JSON.stringify({
    model: service.model,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'contract', strict: true, schema: question.schema },
    },
  })
  let problem = ''
  for (let attempt = 1; attempt <= triesMost; attempt++) {
    const said = await answerOnce(service, body, shape, signal)
    if ('answer' in said) return said.answer
    signal.throwIfAborted()
    problem = said.problem
    if (said.final) break
    const wait = said.waitMs ?? (service.retryMs ?? 1_000) * 2 ** (attempt - 1)
    if (attempt < triesMost) await pause(Math.min(wait, waitMostMs), undefined, { signal })
  }
  throw new ServiceUnavailable(`The extraction service gave no usable answer: ${problem}.`)
}

type Said<Answer> =
  | { readonly answer: Answer }
  | { readonly problem: string; readonly final?: boolean; readonly waitMs?: number | undefined }

async function answerOnce<Answer>(
  { url, key, timeoutMs }: ChatService,
  body: string,
  shape: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<Said<Answer>> {
  let text: string | undefined
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body,
      // The key goes to the address that the operator named, and to no other.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      const again = response.status === 429 || response.status === 408 || response.status >= 500
      return {
        problem: `it answered with status ${response.status}`,
        final: !again,
        waitMs: retryAfterMs(response.headers.get('retry-after')),
      }
    }
    text = await boundedText(response)
  } catch (error) {
    const { name } = error as Error
    return { problem: name === 'TimeoutError' ? 'it took too long' : 'it could not be reached' }
  }
  if (text === undefined) return { problem: 'its answer was too large', final: true }
  return readAnswer(text, shape)
}

/** The body of a response; undefined where it is larger than an answer may be. */
async function boundedText(response: Response): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > answerBytesMost) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function readAnswer<Answer>(text: string, shape: z.ZodType<Answer>): Said<Answer> {
  let content: unknown
  try {
    const { choices } = JSON.parse(text) as {
      choices?: { finish_reason?: string; message?: { content?: unknown } }[]
    }
    if (choices?.[0]?.finish_reason === 'length') throw new AnswerCutOff('The answer was cut off.')
    content = JSON.parse(String(choices?.[0]?.message?.content))
  } catch (error) {
    if (error instanceof AnswerCutOff) throw error
    return { problem: 'its answer was not JSON' }
  }
  const parsed = shape.safeParse(content)
  if (parsed.success) return { answer: parsed.data }
  const [issue] = parsed.error.issues
  return {
    problem: `its answer was not of the form that was asked for (at ${issue?.path.join('.') || 'the top'})`,
  }
}

/** How long a Retry-After asks to wait: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
