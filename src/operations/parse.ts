import type { z } from 'zod'
import { Failure, type Problem } from '../errors.ts'
import { nearest } from '../vocabulary/choice.ts'

const problemsShown = 1_000

/** The request in a body, or an `invalid_request` failure that names every problem with its path. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { value, problems } = parsed(schema, body)
  if (problems.length > 0) throw refusal(problems)
  return value
}

/** What stands in an operation's path and what was sent with it, as one object; a failure names the problems of both. */
export function parseParts(
  { params, request }: { readonly params?: z.ZodType; readonly request: z.ZodType },
  path: unknown,
  sent: unknown,
): unknown {
  if (!params) return parseRequest(request, sent)
  const parts = [parsed(request, sent), parsed(params, path)]
  const problems = parts.flatMap((part) => part.problems)
  if (problems.length > 0) throw refusal(problems)
  return Object.assign({}, ...parts.map((part) => part.value)) as unknown
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
): { value: z.output<Schema>; problems: Problem[] } {
  const { data, error } = schema.safeParse(sent)
  return {
    value: data as z.output<Schema>,
    problems: error?.issues.flatMap((issue) => problemsOf(issue, schema)) ?? [],
  }
}

function refusal(problems: readonly Problem[]): Failure {
  const shown = problems.slice(0, problemsShown)
  const says =
    problems.length === 1
      ? `${shown[0]!.path || 'body'}: ${shown[0]!.message}`
      : `${problems.length} problems; see errors${problems.length > problemsShown ? ` for the first ${problemsShown}` : ''}.`
  return new Failure('invalid_request', says, { problems: shown })
}

/** A path as people write it: `filters.states[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  )
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path)
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      message: `unknown property${known.length > 0 ? `; nearest: ${nearest(key, known).join(', ')}` : ''}`,
    }))
  }
  if (issue.code === 'invalid_union') {
    // Every branch failed; the first one's problems say what is wrong as well as any.
    const [first = []] = issue.errors
    if (first.length > 0)
      return first.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema))
  }
  if (issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message))
    return [{ path: pathText(issue.path), message: 'required' }]
  return [{ path: pathText(issue.path), message: issue.message.replace(/^Invalid input: /, '') }]
}

type Definition = {
  shape?: Record<string, z.ZodType>
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
}

/** The property names that an object somewhere inside a schema knows. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrapped(schema)
  const { shape, element } = inner.def as Definition
  const [step, ...rest] = path
  if (step === undefined) return Object.keys(shape ?? {})
  const next = typeof step === 'number' ? element : shape?.[String(step)]
  return next ? keysAt(next, rest) : []
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const { innerType, in: before } = schema.def as Definition
  const next = innerType ?? before
  return next ? unwrapped(next) : schema
}
