/** As much of JSON Schema as our own description uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
}
export type Named = Record<string, JsonSchema>

interface Line {
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string
}

/** The fields of a body, nested ones with their path. */
export function FieldList({ schema, named }: { schema: JsonSchema; named: Named }) {
  const lines = linesOf(schema, named, '', true)
  return (
    <div className="table-wrap" role="region" aria-label="Fields" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ path, type, required, meaning }) => (
            <tr key={path}>
              <td>
                <code>{path}</code> {required && <span className="badge">required</span>}
              </td>
              <td>{type}</td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function linesOf(given: JsonSchema, named: Named, path: string, required: boolean): Line[] {
  const schema = resolved(given, named)
  if (path === '' && schema.anyOf)
    return schema.anyOf.flatMap((branch) => linesOf(branch, named, path, required))
  const own =
    path === ''
      ? []
      : [
          {
            path,
            type: typeText(schema, named),
            required,
            meaning: given.description ?? schema.description ?? '',
          },
        ]
  const inner = schema.items ? resolved(schema.items, named) : schema
  const base = schema.items ? `${path}[]` : path
  const nested = Object.entries(inner.properties ?? {}).flatMap(([name, field]) =>
    linesOf(field, named, base === '' ? name : `${base}.${name}`, inner.required?.includes(name) ?? false),
  )
  return [...own, ...nested]
}

const resolved = (schema: JsonSchema, named: Named): JsonSchema =>
  schema.$ref ? (named[schema.$ref.split('/').at(-1)!] ?? {}) : schema

function typeText(schema: JsonSchema, named: Named): string {
  if (schema.items) return `list of ${typeText(resolved(schema.items, named), named)}`
  if (schema.enum) return schema.enum.length <= 8 ? schema.enum.map(String).join(', ') : 'one of a list'
  if (schema.anyOf) return schema.anyOf.map((branch) => typeText(resolved(branch, named), named)).join(' or ')
  return [schema.type ?? 'object'].flat().join(' or ')
}
