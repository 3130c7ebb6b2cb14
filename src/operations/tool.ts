import type { z } from 'zod'

/** A question as the tool server puts it: what a model reads, what it may send, what it gets back. */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What one successful call costs, unless configuration says otherwise. */
  readonly credits: number
  readonly input: Input
  readonly output: Output
  /** Shows the shape; the values are illustrative. */
  readonly example: { readonly request: unknown; readonly response: unknown }
}

/** Declares a tool, keeping the exact types of its schemas. */
export function tool<Input extends z.ZodType, Output extends z.ZodType>(
  declared: Tool<Input, Output>,
): Tool<Input, Output> {
  return declared
}
