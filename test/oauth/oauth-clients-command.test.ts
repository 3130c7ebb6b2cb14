import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshStore } from '../support/service.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '..', '..', 'bin', 'ratebook.js')

it('issues, lists and removes clients from the command line', async () => {
  const env = { ...process.env, ...(await freshStore()) }
  const ratebook = async (...given: string[]) =>
    (await run(process.execPath, [program, 'oauth-clients', ...given], { env })).stdout
  const redirect = 'https://host.example/callback'
  const issued = JSON.parse(
    await ratebook('add', '--name', 'Hosted AI', '--redirect', redirect, '--json'),
  ) as {
    clientId: string
    clientSecret: string
  }
  expect(issued.clientSecret).toMatch(/^[\w-]{43}$/)
  expect(JSON.parse(await ratebook('list', '--json'))).toMatchObject([
    { id: issued.clientId, name: 'Hosted AI', origin: 'operator', redirectUris: [redirect], connections: 0 },
  ])
  await expect(ratebook('add', '--name', 'x', '--redirect', 'http://host.example/')).rejects.toThrow('https')
  await ratebook('remove', issued.clientId)
  expect(JSON.parse(await ratebook('list', '--json'))).toEqual([])
}, 30_000)
