import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { operationList, operations } from '../../../src/operations/index.ts'
import { hasBody } from '../../../src/operations/operation.ts'
import { call } from '../../support/service.ts'
import { openDoor } from '../../support/doors.ts'

interface Described {
  operationId: string
  description: string
  'x-credits': number
  requestBody?: Content
  responses: Record<string, Content & { $ref?: string }>
}
interface Content {
  content?: Record<string, { examples: Record<string, { value: unknown }> }>
}
interface Document {
  openapi: string
  info: { version: string }
  servers: unknown
  paths: Record<string, Record<string, Described>>
  components: { responses: Record<string, { description: string }> }
}

async function printed(env: Record<string, string> = {}): Promise<Document> {
  const door = await openDoor({ env })
  return (await call(door.app, door.apiKey, 'GET', '/openapi.json')).json()
}

it('describes every operation, and nothing else, as version 1.0', async () => {
  const { openapi, info, paths } = await printed()
  expect({ openapi, version: info.version }).toEqual({ openapi: '3.1.0', version: '1.0' })
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(operationList.map(({ method, path }) => `${method} ${path}`).sort())
})

it.each(operationList.map((operation) => [operation.name, operation] as const))(
  'describes %s with examples that its own schemas accept, its errors and its price',
  async (name, operation) => {
    const { method, path, request, response, example, credits, status = 200 } = operation
    const { paths, components } = await printed()
    const described = paths[path]![method.toLowerCase()]!
    expect(described.operationId).toBe(name)
    expect(described.description).toContain(
      credits === 1 ? 'Costs 1 credit when it succeeds.' : 'Free of charge.',
    )
    expect(described.description.length).toBeGreaterThan(80)
    const asked = described.requestBody?.content?.['application/json']!.examples['request']!.value
    expect(request.safeParse(hasBody(operation) ? asked : (example.request ?? {})).error).toBeUndefined()
    expect(operation.params?.safeParse(example.params).error).toBeUndefined()
    const answered = described.responses[status]!.content?.['application/json']?.examples['response']!.value
    const hasJson = status !== 204 && !operation.download
    expect(hasJson ? response.safeParse(answered).error : answered).toBeUndefined()
    const statuses = Object.keys(described.responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '402', '403', '429', '503']))
    for (const other of statuses.filter((one) => one !== String(status)))
      expect(components.responses[`Problem${other}`]!.description).toMatch(/^`\w+`: /)
  },
)

it('prints the prices that the operator set', async () => {
  const { paths } = await printed({ RATEBOOK_PRICES: 'marketBenchmarks=2,npis=0' })
  const of = ({ path }: { path: string }) => paths[path]!['post']!
  expect(of(operations.marketBenchmarks)).toMatchObject({
    'x-credits': 2,
    description: expect.stringContaining('Costs 2 credits when it succeeds.'),
  })
  expect(of(operations.npis)).toMatchObject({
    'x-credits': 0,
    description: expect.stringContaining('Free of charge.'),
  })
})

it('has no error under the recommended rules of Redocly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Redocly's rules object to a server at localhost; the public address is what users see.
  const document = await printed({ RATEBOOK_BASE_URL: 'https://rates.example.org' })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const redocly = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', 'openapi.json', '--extends=recommended', '--format=json'],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((error: { stdout: string }) => error)
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: unknown }
  expect({ totals, problems }).toMatchObject({ totals: { errors: 0 }, problems: [] })
})
