import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import PdfDocument from 'pdfkit'
import { expect, it, onTestFinished } from 'vitest'
import type { Contract } from '../../../src/operations/contracts.ts'
import { noEntities } from '../../../src/operations/contract-entities.ts'
import { newCaller } from '../../support/doors.ts'
import { testServer } from '../../support/service.ts'

const words = 'This Agreement is made between Aetna Health Inc. and Cedar Valley Clinic, P.A. for one year.'

/** A server whose contracts are read by a service on this machine, which answers as it is told. */
async function open() {
  const service = { status: 200, answer: {} as unknown, asked: 0 }
  const model = createServer((request, response) => {
    service.asked++
    request.resume()
    const body = JSON.stringify({ choices: [{ message: { content: JSON.stringify(service.answer) } }] })
    request.on('end', () => response.writeHead(service.status).end(body))
  })
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void model.close())
  const log: string[] = []
  const { app, service: ratebook } = await testServer({
    env: {
      RATEBOOK_EXTRACTOR_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
      RATEBOOK_EXTRACTOR_KEY: 'a-key-that-nobody-sees',
      RATEBOOK_EXTRACTOR_MODEL: 'reader',
    },
    worker: { pollMs: 50, retryMs: 20 },
    log: (text) => log.push(text),
  })
  const { apiKey } = await newCaller(ratebook)
  const headers = { authorization: `Bearer ${apiKey}` }
  const settled = async (made: { json: () => unknown }): Promise<Contract> => {
    const { id } = made.json() as Contract
    for (;;) {
      const contract: Contract = (await app.inject({ url: `/api/v1/contracts/${id}`, headers })).json()
      if (contract.status === 'ready' || contract.status === 'failed') return contract
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const sent = async (text: string) =>
    settled(
      await app.inject({ method: 'POST', url: '/api/v1/contracts', headers, payload: { name: 'One', text } }),
    )
  const uploaded = async (bytes: Buffer) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), 'scan.pdf')
    const body = new Response(form)
    return settled(
      await app.inject({
        method: 'POST',
        url: '/api/v1/contracts',
        headers: { ...headers, 'content-type': body.headers.get('content-type')! },
        payload: Buffer.from(await body.arrayBuffer()),
      }),
    )
  }
  const entities = async ({ id }: Contract) =>
    (await app.inject({ url: `/api/v1/contracts/${id}/entities`, headers })).json<{
      resolvedEntities: unknown
    }>().resolvedEntities
  return { service, log, sent, uploaded, entities }
}

/** A page with a drawing and no text. */
async function scan(): Promise<Buffer> {
  const document = new PdfDocument()
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(parts))))
  document.rect(50, 50, 200, 100).fill('black')
  document.end()
  return done
}

it('reads contracts by the service that the operator named; without it they fail, and say what to do', async () => {
  const { service, log, sent, uploaded, entities } = await open()
  const answer = noEntities()
  service.answer = {
    ...answer,
    parties: { ...answer.parties, payers: [{ name: 'Aetna Health Inc.', quote: words }] },
  }
  const ready = await sent(words)
  expect(ready).toMatchObject({ status: 'ready', error: null })
  expect(await entities(ready)).toMatchObject({
    parties: { payers: [{ name: 'Aetna Health Inc.', payerpricePayer: 'Aetna' }], providers: [] },
  })
  expect(service.asked).toBe(1)

  service.status = 401
  const failed = await sent(words)
  expect(failed).toMatchObject({
    status: 'failed',
    error: {
      code: 'extraction_unavailable',
      message: expect.stringMatching(
        /service gave no usable answer: it answered with status 401.*ask the operator/,
      ),
    },
  })
  expect(service.asked).toBe(4)

  const scanned = await uploaded(await scan())
  expect(scanned).toMatchObject({
    status: 'failed',
    error: { code: 'extraction_unavailable', message: expect.stringContaining('text recognition') },
  })
  expect(service.asked).toBe(4)
  expect(log.join('\n')).toContain('status 401')
  expect(log.join('\n')).not.toContain('a-key-that-nobody-sees')
}, 120_000)
