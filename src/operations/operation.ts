import type { z } from 'zod'
import type { FailureCode } from '../errors.ts'
import type { Tool } from './tool.ts'

/** The sections under which the reference lists operations, and by which a key can be restricted. */
export const operationGroups = ['Payer', 'Provider', 'Pricing'] as const
export type OperationGroup = (typeof operationGroups)[number]

/** A question that the service answers: everything that doors, documentation and forms need to know of it. */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: `/api/v1/${string}`
  readonly group: OperationGroup
  /** What one successful call costs, unless configuration says otherwise. */
  readonly credits: number
  readonly summary: string
  /** Markdown, for the reference. */
  readonly description: string
  readonly request: Request
  readonly response: Response
  /** Shows the shape; the values are illustrative. */
  readonly example: { readonly request?: unknown; readonly response: unknown }
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

export type RequestOf<Op extends Operation> = z.output<Op['request']>
export type ResponseOf<Op extends Operation> = z.output<Op['response']>

/** Declares an operation, keeping the exact types of its schemas. */
export function operation<Request extends z.ZodType, Response extends z.ZodType>(
  declared: Operation<Request, Response>,
): Operation<Request, Response> {
  return declared
}
