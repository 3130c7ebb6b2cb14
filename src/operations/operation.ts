import type { z } from 'zod'
import type { Failure, FailureCode } from '../errors.ts'
import type { Download } from './download.ts'
import type { Tool } from './tool.ts'

/** The sections under which the reference lists operations, and by which a key can be restricted. */
export const operationGroups = ['Payer', 'Provider', 'Pricing', 'Reports', 'Contracts'] as const
export type OperationGroup = (typeof operationGroups)[number]

/** A question that the service answers: everything that doors, documentation and forms need to know of it. */
export interface Operation<
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With the names of `params` in braces: `/api/v1/reports/{id}`. */
  readonly path: `/api/v1/${string}`
  readonly group: OperationGroup
  /** What one successful call costs, unless configuration says otherwise. */
  readonly credits: number
  /** Who may call it; everybody in the organisation unless it says so. */
  readonly role?: 'admin'
  /** What success is told with; 200 unless it says so. */
  readonly status?: 200 | 202 | 204
  readonly summary: string
  /** Markdown, for the reference. */
  readonly description: string
  /** What stands in the path. */
  readonly params?: Params
  /** The body of a POST or PATCH, the query of a GET or DELETE. */
  readonly request: Request
  readonly response: Response
  /** Headers that a caller may send, and what each is for. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** The body is a file, not JSON: it is handed on unread, as `CallContext.body`. */
  readonly upload?: { readonly bytesMost: number; readonly types: readonly string[] }
  /** The answer is a file of one of these types. */
  readonly download?: readonly string[]
  /** Another body for a failure than the problem document, where the contract wants one. */
  readonly failureBody?: (failure: Failure) => object | undefined
  /** Shows the shape; the values are illustrative. */
  readonly example: { readonly params?: unknown; readonly request?: unknown; readonly response?: unknown }
  /** What it can fail with beyond what every operation can. */
  readonly failures: readonly FailureCode[]
  /** How the same question is put to the tool server. */
  readonly tool?: Tool
}

/** What every metered operation can fail with. */
export const commonFailures = [
  'invalid_request',
  'unauthenticated',
  'insufficient_credit',
  'forbidden',
  'rate_limited',
  'not_loaded',
] as const satisfies readonly FailureCode[]

/** Whether a request travels in the body; else it is in the query. */
export const hasBody = ({ method }: Pick<Operation, 'method'>) => method === 'POST' || method === 'PATCH'

/** What an answer is given: the request, and with it what stood in the path. */
export type RequestOf<Op extends Operation> = z.output<Op['request']> &
  (Op extends { readonly params: infer Params extends z.ZodType } ? z.output<Params> : unknown)
/** What an answer gives: the response, or a file where the operation says so. */
export type ResponseOf<Op extends Operation> = Op extends { readonly download: readonly string[] }
  ? Download
  : z.output<Op['response']>

/** Declares an operation, keeping the exact types of its schemas. */
export function operation<const Declared extends Operation>(declared: Declared): Declared {
  return declared
}
