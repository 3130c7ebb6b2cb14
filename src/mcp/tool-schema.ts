import { z } from 'zod'

export type JsonSchema = { type: 'object' } & Record<string, unknown>
type Json = Record<string, unknown>

// A model should not carry the values of a long list in every call; the option resources do.
const enumMost = 14

/**
 * The JSON Schema of a tool's input or output as clients want it: an object at the root, nothing referred to by `$ref`
 * (several clients do not follow it), short lists only.
 */
export function toolSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _schema,
    $defs = {},
    ...printed
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) =>
      simplify(zodSchema as unknown as z.ZodType, jsonSchema as Json, io),
  }) as Json & { $defs?: Record<string, Json> }
  return inlined(printed, $defs) as JsonSchema
}

function simplify(schema: z.ZodType, printed: Json, io: 'input' | 'output'): void {
  const { jsonSchema: own, id: _, ...meta } = (z.globalRegistry.get(schema) ?? {}) as Json
  if (own) {
    for (const key of Object.keys(printed)) delete printed[key]
    Object.assign(printed, own, meta)
  }
  delete printed['id']
  delete printed['jsonSchema']
  // Zod writes the bounds of a safe integer; they say nothing about the value.
  if (printed['maximum'] === Number.MAX_SAFE_INTEGER) delete printed['maximum']
  if (printed['minimum'] === Number.MIN_SAFE_INTEGER) delete printed['minimum']
  if (Array.isArray(printed['enum']) && printed['enum'].length > enumMost) delete printed['enum']
  // An answer may gain fields; a client that was told "no others" would then refuse it.
  if (io === 'output') delete printed['additionalProperties']
}

function inlined(value: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, named))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Json
  const target = typeof $ref === 'string' ? named[$ref.slice('#/$defs/'.length)] : undefined
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([key, inner]) => [key, inlined(inner, named)]),
  )
}
