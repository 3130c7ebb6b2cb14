import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { contrast, everything, violations } from './axe.ts'
import { member, type World } from './world.ts'

const redirect = 'http://127.0.0.1:1/callback'

export function consent(there: () => World): void {
  it('lets a tool client in, which then calls a tool until it is disconnected', async () => {
    const { browser, server } = there()
    const post = async (path: string, body: string, headers: Record<string, string>) =>
      (await fetch(server.url + path, { method: 'POST', body, headers })).json() as Promise<
        Record<string, string>
      >
    const { client_id: clientId = '' } = await post(
      '/oauth/register',
      JSON.stringify({
        client_name: 'Desk Assistant',
        redirect_uris: [redirect],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      }),
      { 'Content-Type': 'application/json' },
    )
    const verifier = randomBytes(32).toString('base64url')
    const resource = `${server.url}/api/v1/open/mcp`
    const question = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'ratebook:mcp:read',
      state: 'kept',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
    })

    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.url}/oauth/authorize?${String(question)}`)
    await page.getByLabel('E-mail address').waitFor()
    expect(await violations(page, everything)).toEqual([])
    await page.getByLabel('E-mail address').fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Allow Desk Assistant?' }).waitFor()
    expect(await violations(page, everything)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, contrast)).toEqual([])
    const returned = page.waitForRequest((request) => request.url().startsWith(redirect))
    await page.getByRole('button', { name: 'Allow' }).click()
    const back = new URL((await returned).url())
    expect(back.searchParams.get('state')).toBe('kept')
    await context.close()

    const { access_token: token = '' } = await post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: redirect,
        client_id: clientId,
        code_verifier: verifier,
        resource,
      }).toString(),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    )
    const callTool = () =>
      fetch(resource, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'search_medicare_rates',
            arguments: { medicareType: 'Physician FFS', codes: ['99213'] },
          },
        }),
      })
    const answer = await callTool()
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('nonFacilityAmount')

    const account = await there().member.newPage()
    await account.goto('/account/clients')
    const row = account.getByRole('row', { name: /Desk Assistant/ })
    await row.waitFor()
    expect(await violations(account, everything)).toEqual([])
    account.once('dialog', (dialog) => void dialog.dismiss())
    await row.getByRole('button', { name: 'Disconnect' }).click()
    expect((await callTool()).status).toBe(200)
    account.once('dialog', (dialog) => void dialog.accept())
    await row.getByRole('button', { name: 'Disconnect' }).click()
    await account.getByText('No client is connected.').waitFor()
    expect((await callTool()).status).toBe(401)
    await account.close()
  })
}
