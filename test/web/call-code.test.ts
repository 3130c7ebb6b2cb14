import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callCodes, curlCode, readableJson } from '../../web/call-code.ts'

const run = promisify(execFile)

/** What shells, languages and careless rewriting trip over. */
const body = {
  filters: {
    planNames: [
      "it's true",
      'null and false',
      '[ a,  b ]',
      'say "hi" \\ $HOME `ls` {x}',
      'line\nbreak',
      'Ärzte 🩺',
    ],
    states: ['FL'],
    flag: true,
    off: false,
    nothing: null,
    empty: [],
    none: {},
    left: undefined,
  },
  codes: [{ code: '99213', type: 'CPT' }],
  amount: 12.5,
}

describe('a call as code', () => {
  const taken: { authorization: string | undefined; type: string | undefined; body: unknown }[] = []
  let server: Server
  let url = ''

  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => {
        const { authorization, 'content-type': type } = request.headers
        taken.push({ authorization, type, body: JSON.parse(text) })
        response.setHeader('Content-Type', 'application/json').end('[]')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/market/benchmarks`
  })
  afterAll(() => server.close())

  const textOf = (name: string) => callCodes(url, body, 'a_tool').find((code) => code.name === name)!.text
  const env = { ...process.env, RATEBOOK_KEY: 'rb_sample' }
  const sent = {
    authorization: 'Bearer rb_sample',
    type: 'application/json',
    body: JSON.parse(JSON.stringify(body)),
  }

  it('is what curl sends', async () => {
    await run('sh', ['-c', textOf('curl')], { env })
    expect(taken.pop()).toEqual(sent)
  })

  it('is what TypeScript sends', async () => {
    await run(process.execPath, ['--input-type=module-typescript', '-e', textOf('TypeScript')], { env })
    expect(taken.pop()).toEqual(sent)
  })

  it('is what Python sends', async ({ skip }) => {
    const ready = await run('python3', ['-c', 'import requests']).then(
      () => true,
      () => false,
    )
    if (!ready) skip('No python3 with requests here: its code is not run.')
    await run('python3', ['-c', textOf('Python')], { env })
    expect(taken.pop()).toEqual(sent)
  })

  it('is the arguments of a tool', () => {
    expect(JSON.parse(textOf('Tool call'))).toEqual({
      method: 'tools/call',
      params: { name: 'a_tool', arguments: sent.body },
    })
  })

  it('says the method where it is neither GET nor POST, and a body where there is one', () => {
    expect(curlCode('GET', url)).not.toMatch(/-X|-d/)
    expect(curlCode('DELETE', url)).toContain('-X DELETE')
  })

  it('prints every value so that it reads back the same', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(readableJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    ))
})
