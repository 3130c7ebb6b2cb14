import { z } from 'zod'
import { failures } from '../errors.ts'
import { operationList } from '../operations/index.ts'
import { commonFailures, hasBody, type Operation, operationGroups } from '../operations/operation.ts'

type Json = Record<string, unknown>
export type Price = (operation: Pick<Operation, 'name' | 'credits'>) => number

/** The JSON Schema of a Zod value as callers write it, and the named schemas it uses. */
export function jsonSchema(schema: z.ZodType): { schema: Json; named: Record<string, Json> } {
  const {
    $schema: _,
    $defs = {},
    ...printed
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const {
        jsonSchema: own,
        id: _id,
        ...meta
      } = (z.globalRegistry.get(zodSchema as unknown as z.ZodType) ?? {}) as Json
      if (own) {
        for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key]
        Object.assign(jsonSchema, own, meta)
      }
      // Zod writes the bounds of a safe integer; they say nothing about the value.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      delete (jsonSchema as Json)['id']
    },
  }) as Json & { $defs?: Record<string, Json> }
  return { schema: refsToComponents(printed), named: refsToComponents($defs) as Record<string, Json> }
}

const refsToComponents = (value: Json) =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json

/** The machine-readable description: OpenAPI 3.1, printed from the operation table. */
export function openApi(baseUrl: string, price: Price = ({ credits }) => credits): Json {
  const named: Record<string, Json> = {}
  const printed = (schema: z.ZodType) => {
    const made = jsonSchema(schema)
    Object.assign(named, made.named)
    return made.schema
  }

  const paths: Record<string, Json> = {}
  for (const operation of operationList) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: described(operation, printed, price(operation)),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ratebook API',
      version: '1.0',
      summary: 'US healthcare prices from payer machine-readable files',
      description:
        'Negotiated rates that US health insurers publish, the providers they are paid to, and exact statistics over them. Pricing results are published rates, not a guarantee of claim payment or of an allowed or paid amount.\n\nEvery request carries an API key. One credit is taken for each successful call unless its description says otherwise; failed calls cost nothing.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: groupsListed.map((group) => ({ name: group, description: groupMeaning[group] })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, sent as Authorization: Bearer <key>',
        },
      },
      schemas: {
        ...Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
        Problem: problem,
      },
      responses: Object.fromEntries(
        statuses(operationList.flatMap(failuresOf)).map(([status, codes]) => [
          `Problem${status}`,
          problemResponse(status, codes),
        ]),
      ),
    },
  }
}

export const groupMeaning: Record<(typeof operationGroups)[number], string> = {
  Payer: 'Which payers, periods and plans there are',
  Provider: 'Who the providers are: by NPI, by CCN (hospitals), by TIN (taxpayers)',
  Pricing: 'What payers agreed to pay: market statistics and the rates of specific providers',
  Reports: 'Markets that are kept: built in the background, filtered, compared, modelled and exported',
  Contracts: 'Your own payer contracts: uploaded, read, corrected',
}

/** The groups that have operations. */
export const groupsListed = operationGroups.filter((group) =>
  operationList.some((operation) => operation.group === group),
)

type Code = keyof typeof failures
const failuresOf = (operation: Operation): Code[] => [
  ...commonFailures,
  ...(hasBody(operation) ? (['malformed_json', 'too_large', 'unsupported_media_type'] as const) : []),
  ...(operation.role === 'admin' ? (['admin_required'] as const) : []),
  ...operation.failures,
]

/** Codes by status, in order. */
function statuses(codes: readonly Code[]): [number, Code[]][] {
  const byStatus = new Map<number, Set<Code>>()
  for (const code of codes)
    byStatus.set(failures[code].status, (byStatus.get(failures[code].status) ?? new Set()).add(code))
  return [...byStatus].sort(([a], [b]) => a - b).map(([status, set]) => [status, [...set]])
}

function described(operation: Operation, printed: (schema: z.ZodType) => Json, credits: number): Json {
  const cost =
    credits === 0
      ? 'Free of charge.'
      : `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'} when it succeeds.`
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    description: `${operation.description}\n\n${cost}${operation.tool ? `\n\nTool form: \`${operation.tool.name}\`.` : ''}`,
    'x-credits': credits,
    ...parametersOf(operation, printed),
    ...(hasBody(operation) && {
      requestBody: { required: true, content: contentSent(operation, printed) },
    }),
    responses: {
      [operation.status ?? 200]: {
        description: operation.summary,
        headers: successHeaders,
        ...(operation.status !== 204 && { content: contentAnswered(operation, printed) }),
      },
      ...Object.fromEntries(
        statuses(failuresOf(operation)).map(([status]) => [
          status,
          { $ref: `#/components/responses/Problem${status}` },
        ]),
      ),
    },
  }
}

/** What stands in the path, the query and the headers of a request. */
function parametersOf(operation: Operation, printed: (schema: z.ZodType) => Json): Json {
  const fields = (schema: z.ZodType | undefined, place: 'path' | 'query') => {
    const { properties = {}, required = [] } = (schema ? printed(schema) : {}) as {
      properties?: Record<string, Json>
      required?: string[]
    }
    return Object.entries(properties).map(([name, { description, ...field }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: field,
    }))
  }
  const parameters = [
    ...fields(operation.params, 'path'),
    ...(hasBody(operation) ? [] : fields(operation.request, 'query')),
    ...Object.entries(operation.requestHeaders ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ]
  return parameters.length === 0 ? {} : { parameters }
}

const file = { schema: { type: 'string', format: 'binary' } }

function contentSent(operation: Operation, printed: (schema: z.ZodType) => Json): Json {
  const asJson = {
    schema: printed(operation.request),
    examples: { request: { value: operation.example.request } },
  }
  if (!operation.upload) return { 'application/json': asJson }
  return Object.fromEntries(
    operation.upload.types.map((type) => [
      type,
      type === 'application/json'
        ? asJson
        : {
            schema: {
              type: 'object',
              required: ['file'],
              properties: { file: file.schema, name: { type: 'string' } },
            },
          },
    ]),
  )
}

function contentAnswered(operation: Operation, printed: (schema: z.ZodType) => Json): Json {
  if (operation.download) return Object.fromEntries(operation.download.map((type) => [type, file]))
  return {
    'application/json': {
      schema: printed(operation.response),
      examples: { response: { value: operation.example.response } },
    },
  }
}

const header = (description: string, schema: Json = { type: 'string' }) => ({ description, schema })
const successHeaders = {
  'X-Request-Id': header('Names this request in our log'),
  'X-Credits-Charged': header('Credits taken for this call', { type: 'integer' }),
  'X-Credits-Remaining': header('Credits your organisation has left', { type: 'integer' }),
  RateLimit: header('Requests left and seconds until the allowance is full again'),
  'RateLimit-Policy': header('The allowance of your organisation'),
}

function problemResponse(status: number, codes: readonly Code[]): Json {
  return {
    description: codes
      .map((code) => `\`${code}\`: ${failures[code].title}. ${failures[code].says}`)
      .join('\n\n'),
    headers: {
      'X-Request-Id': successHeaders['X-Request-Id'],
      ...((status === 429 || status === 503) && {
        'Retry-After': header('Seconds to wait', { type: 'integer' }),
      }),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            {
              value: {
                type: `urn:ratebook:problem:${code}`,
                title: failures[code].title,
                status,
                detail: failures[code].says,
                code,
                requestId: '5f0c9b1e-2f4e-4a37-9a53-0d6a1c3f9b7e',
              },
            },
          ]),
        ),
      },
    },
  }
}

const problem: Json = {
  type: 'object',
  description: 'What went wrong (RFC 9457)',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'Names the kind of problem' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong this time' },
    code: { type: 'string', description: 'For programs' },
    requestId: { type: 'string', description: 'Quote it when you report a problem' },
    errors: {
      type: 'array',
      description: 'Every problem of the request',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}
