import { expect, it } from 'vitest'
import { failures, type FailureCode } from '../../../src/errors.ts'
import { openDoor } from '../../support/doors.ts'
import { listening, rawAnswer } from '../../support/sockets.ts'

const start = 'POST /api/v1/npis HTTP/1.1\r\nHost: here\r\n'

it.each<[string, string, FailureCode]>([
  [
    'a body that does not arrive',
    `${start}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    'request_timeout',
  ],
  ['headers that do not end', start, 'request_timeout'],
  ['headers of 20 kB', `${start}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
  ['what is not HTTP', 'hello\r\n\r\n', 'invalid_request'],
])('answers %s with problem+json and hangs up', async (_, sent, code) => {
  const { app } = await openDoor({ env: { RATEBOOK_REQUEST_TIMEOUT_MS: '200' } })
  const answer = await rawAnswer(await listening(app), sent)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${failures[code].status} `))
  expect(head).toContain('Content-Type: application/problem+json')
  const id = /^X-Request-Id: (.+)$/m.exec(head)?.[1]?.trim()
  expect(JSON.parse(body)).toMatchObject({ code, status: failures[code].status, requestId: id })
})
