import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sweepDocuments } from '../../../src/contracts/sweep-documents.ts'
import { isUnfinished } from '../../../src/files/kept-file.ts'
import { contractBytesMost, type Contract } from '../../../src/operations/contracts.ts'
import { openContracts } from '../../support/contract-door.ts'
import { listening } from '../../support/sockets.ts'

const idle = { RATEBOOK_JOBS: 'off' }
const patience = { timeout: 20_000 }
const boundary = 'between-parts'
const head = (name: string, fileName?: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`
const end = `\r\n--${boundary}--\r\n`

it('takes a form with its parts in any order, and keeps the file byte for byte', async () => {
  const { sendForm, kept, root, ours } = await openContracts({ env: idle })
  const bytes = Buffer.from('The words of the agreement, – with a dash.')
  const form = new FormData()
  form.set('file', new Blob([bytes]), '../../Our "contract" 2024.txt')
  form.set('remark', 'not ours')
  form.set('name', '  Last comes the name ')
  const answer = await sendForm(form)
  expect(answer.statusCode).toBe(202)
  const contract: Contract = answer.json()
  expect(contract).toMatchObject({ name: 'Last comes the name', documentType: 'txt', bytes: bytes.length })
  expect(contract.fileName).not.toMatch(/[/\\]/)
  expect(kept().toSorted()).toEqual([contract.id, join(contract.id, 'document')])
  expect(readFileSync(join(root, ours.organization.id, contract.id, 'document'))).toEqual(bytes)

  const nameless = new FormData()
  nameless.set('file', new Blob([bytes]), 'Aetna.txt')
  expect((await sendForm(nameless)).json()).toMatchObject({ name: 'Aetna', fileName: 'Aetna.txt' })
})

it('refuses what is no form with one file, and keeps nothing of it', async () => {
  const { app, ours, sendForm, upload, kept, ask } = await openContracts({ env: idle })
  const send = async (contentType: string, payload: string | Buffer) => {
    const headers = { authorization: `Bearer ${ours.apiKey}`, 'content-type': contentType }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/contracts', headers, payload })
    return [answer.statusCode, answer.json().code as string]
  }
  const form = `multipart/form-data; boundary=${boundary}`
  const file = `${head('file', 'a.txt')}Some words`
  expect(await send('multipart/form-data', 'x')).toEqual([400, 'invalid_request'])
  expect(await send(form, '')).toEqual([400, 'invalid_request'])
  expect(await send(form, 'no parts at all')).toEqual([400, 'invalid_request'])
  expect(await send(form, file)).toEqual([400, 'invalid_request'])
  expect(await send(form, `${head('name')}Only a name${end}`)).toEqual([400, 'invalid_request'])
  expect(await send(form, `${file}\r\n${head('file', 'b.txt')}Other words${end}`)).toEqual([
    400,
    'invalid_request',
  ])
  const fields = Array.from({ length: 9 }, (_, at) => `${head(`f${at}`)}x\r\n`).join('')
  expect(await send(form, `${fields}${file}${end}`)).toEqual([400, 'invalid_request'])
  expect(await send('text/plain', 'Some words')).toEqual([415, 'unsupported_media_type'])
  expect(await send('application/json', '{"name": "x"')).toEqual([400, 'malformed_json'])
  expect(await send('application/json', '{"name": "x"}')).toEqual([400, 'invalid_request'])
  expect((await upload(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]))).statusCode).toBe(415)
  expect((await upload(Buffer.from(''))).statusCode).toBe(415)

  const big = Buffer.alloc(contractBytesMost + 1, 'a')
  expect((await upload(big)).json()).toMatchObject({
    code: 'too_large',
    detail: expect.stringMatching('25 MB'),
  })
  const late = new FormData()
  late.set('file', new Blob([big]), 'big.txt')
  late.set('name', 'After a file that is too large')
  expect((await sendForm(late)).statusCode).toBe(413)
  const escaped = Buffer.from(`{"name": "x", "text": "${String.raw`\u0061`.repeat(5_002_000)}"}`)
  expect(await send('application/json', escaped)).toEqual([413, 'too_large'])
  expect(kept()).toEqual([])
  expect((await ask('GET', '')).json().contracts).toEqual([])

  const whole = big.subarray(1)
  expect((await upload(whole)).json()).toMatchObject({ bytes: contractBytesMost })
})

it('puts a document on the disk as it arrives, and keeps nothing of one that breaks off', async () => {
  const { app, ours, kept, root, ask } = await openContracts({ env: idle })
  const url = new URL(`${await listening(app)}/api/v1/contracts`)
  const begin = (contentType: string, text: string) => {
    const headers = { authorization: `Bearer ${ours.apiKey}`, 'content-type': contentType }
    const sent = request(url, { method: 'POST', headers })
    sent.on('error', () => {})
    sent.write(text)
    return sent
  }
  const beginForm = () => begin(`multipart/form-data; boundary=${boundary}`, head('file', 'a.txt'))
  const piece = Buffer.alloc(1_000_000, 'a')
  const arrived = () =>
    kept()
      .filter(isUnfinished)
      .map((path) => statSync(join(root, ours.organization.id, path)).size)
  const sent = beginForm()
  sent.write(piece)
  await expect.poll(arrived, patience).toEqual([expect.closeTo(piece.length, -5)])
  sent.destroy()
  await expect.poll(kept, patience).toEqual([])
  const json = begin('application/json', '{"name": "Broken off", "text": "Some words')
  await ask('GET', '')
  json.destroy()

  // More than a document may have is refused while the client still sends, and not only when it has ended.
  const large = beginForm()
  const answered = once(large, 'response') as Promise<[IncomingMessage]>
  for (let bytes = 0; bytes <= contractBytesMost; bytes += piece.length)
    if (!large.write(piece)) await once(large, 'drain')
  const [answer] = await answered
  expect(answer.statusCode).toBe(413)
  answer.resume()
  large.destroy()
  await expect.poll(kept, patience).toEqual([])
  expect((await ask('GET', '')).json().contracts).toEqual([])
})

it('sweeps away what a killed process left, and nothing that is anybody’s', async () => {
  const { service, root, ours, ask, kept } = await openContracts({ env: idle })
  const { id }: Contract = (await ask('POST', '', { name: 'Kept', text: 'Some words' })).json()
  const { id: gone }: Contract = (await ask('POST', '', { name: 'Deleted', text: 'Other words' })).json()
  await ask('DELETE', `/${gone}`)
  const place = (contract: string, file: string) => join(root, ours.organization.id, contract, file)
  const lost = ['5b2f6c1e-8d0a-4a57-9c3e-2f4b7d1a6e90', '00000000-8d0a-4a57-9c3e-2f4b7d1a6e90']
  for (const orphan of lost) mkdirSync(join(root, ours.organization.id, orphan))
  writeFileSync(place(lost[0]!, 'document'), 'There is no row for this one.')
  writeFileSync(place(lost[1]!, 'document.1.new'), 'It was on its way.')
  writeFileSync(place(id, 'text.json.1.new'), 'Half a text')
  const before = kept().toSorted()
  const now = service.now()
  // What is new may be an upload of another process.
  expect(await sweepDocuments(service.records, service.settings.RATEBOOK_DATA, now)).toEqual([])
  expect(kept().toSorted()).toEqual(before)
  const removed = await sweepDocuments(service.records, service.settings.RATEBOOK_DATA, now + 2 * 3_600_000)
  expect(removed.map((path) => path.slice(ours.organization.id.length + 1)).toSorted()).toEqual(
    [...lost, join(id, 'text.json.1.new')].toSorted(),
  )
  expect(kept().toSorted()).toEqual([id, join(id, 'document'), gone, join(gone, 'document')].toSorted())
})
