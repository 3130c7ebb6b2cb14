import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newCaller } from '../../support/doors.ts'
import { listeningServer } from '../../support/tool-server.ts'
import { authorizedInBrowser, userOf } from '../../support/oauth.ts'
import { issueClient } from '../../../src/oauth/clients.ts'
import { conformanceFixtures } from './fixtures.ts'
import { conformance, inspector, keyedProxy, suites } from './run.ts'

const baseline = (name: string) => join(import.meta.dirname, `baseline-${name}.yaml`)

it.each([
  ['stable', suites.stable, []],
  ['newest, 2026-07-28', suites.newest, ['--requirements', '2026-07-28']],
  ['newest, 2025-11-25', suites.newest, ['--requirements', '2025-11-25']],
])(
  'the official server suite passes but for its baseline: %s',
  async (name, program, more) => {
    const { service, toolUrl } = await listeningServer(
      { env: { RATEBOOK_RATE_PER_SECOND: '1000', RATEBOOK_RATE_BURST: '1000' } },
      { toolFixtures: conformanceFixtures },
    )
    const { apiKey } = await newCaller(service, 1_000)
    const { url, server } = await keyedProxy(toolUrl, apiKey)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const file = baseline(name.replace('newest, ', ''))
    const { code, text } = await conformance(program, [
      'server',
      '--url',
      url,
      '--expected-failures',
      file,
      ...more,
    ])
    if (code !== 0) console.error(text)
    expect(code).toBe(0)
  },
  180_000,
)

// The suite takes the method "none" wherever a server offers it, so it can only be run as a client without a secret.
it('the official authorisation suite passes whole', async () => {
  const server = await listeningServer()
  const user = await userOf(server)
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const { clientId } = await issueClient(
    server.service.records,
    'Conformance',
    [`http://127.0.0.1:${port}/callback`],
    'none',
  )
  const given = ['authorization', '--url', server.baseUrl, '--resource', server.toolUrl.href]
  const { code, text } = await conformance(
    suites.newest,
    [...given, '--client-id', clientId, '--port', String(port)],
    (line) => {
      if (line.startsWith(`${server.baseUrl}/oauth/authorize`))
        void authorizedInBrowser(line, user).then((back) => fetch(back))
    },
  )
  if (code !== 0) console.error(text)
  expect(code).toBe(0)
  expect(text).toMatch(/authorization-code-grant: [1-9]\d* passed, 0 failed/)
}, 60_000)

it('the inspector finds no fault in the schemas', async () => {
  const { service, toolUrl } = await listeningServer()
  const { apiKey } = await newCaller(service)
  const header = `Authorization: Bearer ${apiKey}`
  const given = ['--cli', toolUrl.href, '--transport', 'http', '--header', header]
  const { code, text } = await conformance(inspector, [...given, '--method', 'tools/list', '--strict'])
  if (code !== 0) console.error(text)
  expect(code).toBe(0)
  expect(text).toContain('search_medicare_rates')
}, 60_000)
