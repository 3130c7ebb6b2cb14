import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { noEntities } from '../../operations/contract-entities.ts'
import { ServiceAnswer } from './answer.ts'
import { ServiceUnavailable } from './chat.ts'
import { partsOf, serviceExtractor } from './service-extractor.ts'

const pages = [
  `PROVIDER AGREEMENT

This Agreement is made between Aetna Health Inc. ("Payer") and Cedar Valley
Clinic, P.A. ("Provider") and is effective January 1, 2024.

1. Either party may terminate this Agreement without cause on ninety (90) days
written notice.`,
  `2. Payer pays 110% of Medicare. Provider's NPI is 1234567893 and its tax number 12-3456789.

Signed on December 1, 2023`,
]

const nothing = (): ServiceAnswer => ServiceAnswer.parse(noEntities())

const between = 'made between Aetna Health Inc. ("Payer") and Cedar Valley Clinic, P.A. ("Provider")'
const numbers = "Provider's NPI is 1234567893 and its tax number 12-3456789."

function goodAnswer(): ServiceAnswer {
  const answer = nothing()
  answer.parties.payers = [{ name: 'Aetna Health Inc.', quote: between, confidence: 0.9 }]
  answer.parties.providers = [{ name: 'Cedar Valley Clinic, P.A.', quote: between }]
  answer.providerContext.npis = [{ value: '1234567893', quote: numbers }]
  answer.providerContext.tins = [{ value: '12-3456789', quote: numbers }]
  answer.contractTerms.effectivePeriod.start = { value: '2024-01-01', quote: 'is effective January 1, 2024' }
  answer.contractTerms.signedDate = { value: '2023-12-01', quote: 'Signed on December 1, 2023' }
  answer.contractTerms.clauses = [
    {
      category: 'termination',
      clauseType: 'without_cause',
      quote: 'Either party may terminate this Agreement without cause on ninety (90) days written notice.',
    },
  ]
  answer.pricingTerms = [
    { termType: 'percent_of_medicare', percent: 110, quote: 'Payer pays 110% of Medicare.' },
  ]
  return answer
}

interface Asked {
  readonly headers: IncomingMessage['headers']
  readonly body: { model: string; messages: { role: string; content: string }[]; response_format: unknown }
}
type Reply = (response: ServerResponse, asked: Asked) => void

const saying =
  (content: unknown, finish_reason = 'stop'): Reply =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        choices: [
          {
            finish_reason,
            message: { content: typeof content === 'string' ? content : JSON.stringify(content) },
          },
        ],
      }),
    )
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end('no')

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A service on this machine that gives the replies in turn, and the last again and again. */
async function service(...replies: Reply[]) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = {
        headers: request.headers,
        body: JSON.parse(Buffer.concat(parts).toString()) as Asked['body'],
      }
      asked.push(one)
      replies[Math.min(asked.length, replies.length) - 1]!(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const log: string[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const extract = async (
    of: readonly string[] = pages,
    { charactersMost = 24_000, timeoutMs = 5_000, signal = new AbortController().signal } = {},
  ) =>
    serviceExtractor({
      url,
      key: 'secret-key-1',
      model: 'reader-1',
      timeoutMs,
      charactersMost,
      retryMs: 5,
      log: (text) => log.push(text),
    }).extract({ text: { type: 'txt', pages: of } }, signal)
  return { asked, log, extract }
}

describe('the extractor behind a service', () => {
  it('takes what the document says, with evidence on its pages', async () => {
    const { asked, log, extract } = await service(saying(goodAnswer()))
    const { entities, evidence } = await extract()
    expect(entities.parties.payers).toMatchObject([
      { name: 'Aetna Health Inc.', normalizedName: 'Aetna Health', payerpricePayer: 'Aetna' },
    ])
    expect(entities.parties.providers).toMatchObject([{ normalizedName: 'Cedar Valley Clinic' }])
    expect(entities.providerContext.npis).toMatchObject([{ normalizedValue: '1234567893' }])
    expect(entities.providerContext.tins).toMatchObject([{ normalizedValue: '123456789' }])
    expect(entities.contractTerms).toMatchObject({
      signedDate: '2023-12-01',
      effectivePeriod: { start: '2024-01-01', end: null },
      executionStatus: null,
      clauses: [{ category: 'termination', value: goodAnswer().contractTerms.clauses[0]!.quote }],
    })
    expect(entities.pricingTerms).toMatchObject([{ percent: 110 }])
    for (const { page, start, end, text } of evidence) expect(pages[page - 1]!.slice(start, end)).toBe(text)
    expect(evidence.find(({ id }) => id === entities.parties.payers[0]!.evidenceIds![0])?.text).toContain(
      'Cedar Valley\nClinic',
    )
    expect(entities.sources['payers-1']?.confidence).toBe(0.9)
    expect(log).toEqual([])
    expect(asked).toHaveLength(1)
    expect(asked[0]!.headers.authorization).toBe('Bearer secret-key-1')
    expect(asked[0]!.body.model).toBe('reader-1')
    expect(asked[0]!.body.messages[1]!.content).toContain('Cedar Valley')
    expect(asked[0]!.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true },
    })
  })

  it('asks with a schema in which every property is required and nothing else is allowed', async () => {
    const { asked, extract } = await service(saying(nothing()))
    await extract()
    const objects: { required?: string[]; properties?: object; additionalProperties?: unknown }[] = []
    const walk = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return
      if ('properties' in value) objects.push(value as (typeof objects)[number])
      for (const inner of Object.values(value)) walk(inner)
    }
    const { json_schema } = asked[0]!.body.response_format as { json_schema: { schema: unknown } }
    walk(json_schema.schema)
    expect(objects.length).toBeGreaterThan(20)
    for (const { required, properties, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties!))
      expect(additionalProperties).toBe(false)
    }
    expect(JSON.stringify(json_schema.schema)).not.toMatch(/"(?:pattern|maxLength|format|\$schema)":/)
  })

  it('drops, counts and logs what the document does not say', async () => {
    const invented = goodAnswer()
    invented.parties.payers.push({ name: 'Northwind Health Plan, Inc.', quote: between })
    invented.parties.administrators.push({
      name: 'Aetna Health Inc.',
      quote: 'administered by Aetna Health Inc.',
    })
    invented.providerContext.npis.push({ value: '1234567890', quote: numbers })
    invented.providerContext.npis.push({ value: '1081234571', quote: numbers })
    invented.contractScope.states.push({ value: 'Texas', quote: 'in the State of Texas' })
    invented.contractTerms.effectivePeriod.end = { value: '2025-12-31', quote: 'until December 31, 2025' }
    const { log, extract } = await service(saying(invented))
    const { entities } = await extract()
    const { entities: plain } = await (await service(saying(goodAnswer()))).extract()
    expect(entities).toEqual(plain)
    expect(log).toEqual([expect.stringContaining('named 6 things')])
  })

  it('asks about a long document in parts, and takes each thing once', async () => {
    const long = Array.from(
      { length: 9 },
      (_, at) => `${pages.join('\n\n')}\n\nPage ${at} ${'words '.repeat(100)}`,
    )
    const { asked, extract } = await service(saying(goodAnswer()))
    const { entities } = await extract(long, { charactersMost: 2_500 })
    expect(asked.length).toBe(partsOf(long, 2_500).length)
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.map(({ body }) => body.messages[1]!.content.length).every((length) => length <= 2_500)).toBe(
      true,
    )
    expect(entities.parties.payers).toHaveLength(1)
    expect(entities.contractTerms.clauses).toHaveLength(1)
  })

  it('loses nothing where a page is longer than a part', () => {
    const page = Array.from({ length: 500 }, (_, at) => `Paragraph ${at}.`).join('\n\n')
    const parts = partsOf(['', page, 'last'], 1_000)
    expect(parts.every((part) => part.length <= 1_000)).toBe(true)
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(`${page}last`.replaceAll(/\s/g, ''))
  })

  it('asks about less where an answer was cut off', async () => {
    const long = [`${pages.join('\n\n')}\n\n${'More words follow. '.repeat(200)}`]
    const cutOff = saying('{"parties":', 'length')
    const { asked, extract } = await service(cutOff, saying(goodAnswer()), saying(nothing()))
    const { entities } = await extract(long)
    expect(asked.length).toBeGreaterThanOrEqual(3)
    expect(asked[1]!.body.messages[1]!.content.length).toBeLessThan(long[0]!.length)
    expect(entities.parties.payers).toHaveLength(1)
    await expect((await service(cutOff)).extract(long)).rejects.toThrow(ServiceUnavailable)
  })

  it.each([
    ['429 that says when to come back', status(429, { 'retry-after': '0' })],
    ['500', status(500)],
    ['garbage', saying('Here is your answer: no.')],
    ['an answer of another form', saying({ parties: [] })],
    ['no JSON at all', ((response) => response.end('<html>')) as Reply],
    ['a connection that breaks', ((response) => response.destroy()) as Reply],
  ])('asks again after %s', async (_, first) => {
    const { asked, extract } = await service(first, saying(goodAnswer()))
    const { entities } = await extract()
    expect(asked).toHaveLength(2)
    expect(entities.parties.payers).toHaveLength(1)
  })

  it.each([
    ['status 503', status(503), 4],
    ['status 401', status(401), 1],
    ['not JSON', saying('no'), 4],
    ['not of the form that was asked for (at parties)', saying({ ...nothing(), parties: 7 }), 4],
    ['too large', ((response) => void response.end('x'.repeat(8_000_001))) as Reply, 1],
    ['could not be reached', status(302, { location: 'http://127.0.0.1:1/' }), 4],
  ])('gives up after %s, and tells no secrets', async (says, reply, times) => {
    const { asked, log, extract } = await service(reply)
    const error = await extract().catch((caught: Error) => caught)
    expect(error).toBeInstanceOf(ServiceUnavailable)
    expect((error as Error).message).toContain(says)
    expect(asked).toHaveLength(times)
    expect(JSON.stringify([(error as Error).message, (error as Error).stack, log])).not.toContain(
      'secret-key-1',
    )
  })

  it('waits no longer than it may, and not at all once the work is stopped', async () => {
    const hangs: Reply = (response) => void response.writeHead(200).write('{')
    const { asked, extract } = await service(hangs)
    await expect(extract(pages, { timeoutMs: 50 })).rejects.toThrow('it took too long')
    expect(asked).toHaveLength(4)
    const stop = new AbortController()
    const stopped = extract(pages, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('The worker stops.')), 30)
    await expect(stopped).rejects.toThrow('The worker stops.')
  })
})
