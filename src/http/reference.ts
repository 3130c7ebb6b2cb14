import type { z } from 'zod'
import { failures } from '../errors.ts'
import { operationList } from '../operations/index.ts'
import { hasBody, type Operation } from '../operations/operation.ts'
import { groupMeaning, groupsListed, jsonSchema, type Price } from './openapi.ts'

interface Schema {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  default?: unknown
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxLength?: number
  additionalProperties?: Schema | boolean
  $ref?: string
}

/** The Markdown reference, printed from the operation table. */
export function reference(baseUrl: string, price: Price = ({ credits }) => credits): string {
  return [
    '# Ratebook API reference',
    `Base address: \`${baseUrl}\`. Bodies are JSON. Every request carries \`Authorization: Bearer <API key>\`. Machine-readable: [\`/openapi.json\`](${baseUrl}/openapi.json).`,
    intro,
    '## Operations',
    table(
      ['method', 'path', 'group', 'credits', 'purpose'],
      operationList.map((op) => [op.method, `\`${op.path}\``, op.group, String(price(op)), op.summary]),
    ),
    ...groupsListed.flatMap((group) => [
      `## ${group}`,
      `${groupMeaning[group]}.`,
      ...operationList.filter((op) => op.group === group).map((op) => section(op, price(op))),
    ]),
    '## Errors',
    'Errors are `application/problem+json` (RFC 9457): `type`, `title`, `status`, `detail`, `code`, `requestId`, and for an invalid request `errors: [{ path, message }]` with every problem of the request.',
    table(
      ['status', 'code', 'meaning'],
      Object.entries(failures).map(([code, { status, title, says }]) => [
        String(status),
        `\`${code}\``,
        `${title}. ${says}`,
      ]),
    ),
    '',
  ].join('\n\n')
}

const intro = `## Rules that hold everywhere

- **Checks come in this order**: key (401), permission (403), rate (429), validity (400), credit (402), then the work, then the debit. Failed calls cost nothing; each page of paginated rates costs like a call.
- **Unknown properties are refused** by name: a misspelt filter never widens a question silently.
- **Limits clamp**: a \`limit\` above its maximum returns at most the maximum.
- **Headers**: every answer carries \`X-Request-Id\` (send your own to have it echoed); priced ones \`X-Credits-Charged\` and \`X-Credits-Remaining\`; limited ones \`RateLimit\`, \`RateLimit-Policy\`, and \`Retry-After\` with 429.
- **Identifiers**: NPIs and TINs are numbers, CCNs are six-character text. A TIN may be an employer number or, where a payer reports one, an NPI.
- **Periods** are the months a payer published for. Left out, the newest month of each payer is used. Two or more compare over time: months are never pooled, and each row carries its \`yearMonth\`.
- **Places of service** are two-digit text; \`"2"\` and \`2\` mean \`"02"\`. \`CSTM-00\` = published for all places, \`none\` = none named. Filters match literally.
- **Percentiles** interpolate linearly between order statistics. All statistics are exact.
- **Taxonomy codes** are those of the NUCC Health Care Provider Taxonomy 25.1 (copyright American Medical Association).`

function section(operation: Operation, credits: number): string {
  const parts = [
    `### ${operation.method} ${operation.path}`,
    operation.description,
    `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'}.`,
  ]
  if (operation.tool) parts.push(`As a tool: \`${operation.tool.name}\`.`)
  if (operation.role === 'admin') parts.push('Only for admins of the organisation.')
  if (operation.params) parts.push('**In the path**', fieldTable(operation.params))
  for (const [name, meaning] of Object.entries(operation.requestHeaders ?? {}))
    parts.push(`**Header** \`${name}\`: ${meaning}`)
  if (hasBody(operation))
    parts.push('**Request**', fieldTable(operation.request), json(operation.example.request))
  else if (fieldRows(operation.request).length > 0)
    parts.push('**In the query**', fieldTable(operation.request))
  if (operation.upload)
    parts.push(`The body may be ${operation.upload.types.map((type) => `\`${type}\``).join(' or ')}.`)
  if (operation.download)
    parts.push(`**Response 200**: a file, ${operation.download.map((type) => `\`${type}\``).join(', ')}.`)
  else if (operation.status === 204) parts.push('**Response 204**: no body.')
  else
    parts.push(
      `**Response ${operation.status ?? 200}**`,
      fieldTable(operation.response),
      json(operation.example.response),
    )
  return parts.join('\n\n')
}

/** A row for each field of a schema: its path, type, whether it is required, and its meaning. */
export function fieldRows(schema: z.ZodType): string[][] {
  const made = jsonSchema(schema)
  return fields(made.schema as Schema, made.named as Record<string, Schema>, '', true)
}

function fieldTable(schema: z.ZodType): string {
  const rows = fieldRows(schema)
  return rows.length === 0 ? 'No body.' : table(['field', 'type', 'required', 'meaning'], rows)
}

/** A row for each field, nested ones with their path. */
function fields(given: Schema, named: Record<string, Schema>, path: string, required: boolean): string[][] {
  const schema = resolved(given, named)
  const own =
    path === ''
      ? []
      : [
          [
            `\`${path}\``,
            typeText(schema, named),
            required ? 'yes' : 'no',
            given.description ?? schema.description ?? '',
          ],
        ]
  if (schema.anyOf && path === '')
    return schema.anyOf.flatMap((branch) => fields(branch, named, path, required))
  const inner = schema.items ? resolved(schema.items, named) : schema
  const base = schema.items ? `${path}[]` : path
  const nested = Object.entries(inner.properties ?? {}).flatMap(([name, field]) =>
    fields(field, named, base === '' ? name : `${base}.${name}`, inner.required?.includes(name) ?? false),
  )
  const values =
    typeof schema.additionalProperties === 'object'
      ? fields(schema.additionalProperties, named, `${path}{ccn}`, true)
      : []
  return [...own, ...nested, ...values]
}

const resolved = (schema: Schema, named: Record<string, Schema>): Schema =>
  schema.$ref ? (named[schema.$ref.split('/').at(-1)!] ?? {}) : schema

function typeText(schema: Schema, named: Record<string, Schema>): string {
  if (schema.items) return `list of ${typeText(resolved(schema.items, named), named)}${bounds(schema)}`
  if (schema.enum)
    return schema.enum.length <= 10
      ? schema.enum.map((value) => `\`${String(value)}\``).join(', ')
      : 'text of a fixed list'
  if (schema.anyOf) return schema.anyOf.map((branch) => typeText(resolved(branch, named), named)).join(' or ')
  const names: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
  return (
    [schema.type ?? 'object']
      .flat()
      .map((type) => names[type] ?? type)
      .join(' or ') + bounds(schema)
  )
}

function bounds({ minItems, maxItems, maxLength, minimum, maximum }: Schema): string {
  const texts = [
    minItems !== undefined && `at least ${minItems}`,
    maxItems !== undefined && `at most ${maxItems}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
  ].filter(Boolean)
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows]
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
    )
    .join('\n')

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
