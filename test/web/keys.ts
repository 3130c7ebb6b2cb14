import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { World } from './world.ts'

export function keys(there: () => World): void {
  it('are shown once, work at once, and end at once', async () => {
    const { member, server } = there()
    const status = async (key: string) =>
      (await fetch(`${server.url}/api/v1/payers`, { headers: { Authorization: `Bearer ${key}` } })).status
    const name = `Nightly export ${randomUUID()}`
    const page = await member.newPage()
    await page.goto('/account/keys')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = await page.getByLabel('API key', { exact: true }).innerText()
    expect(await status(key)).toBe(200)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    expect(await page.content()).not.toContain(key)

    page.on('dialog', (dialog) => void dialog.accept())
    const row = page.getByRole('row', { name: new RegExp(name) })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await status(key)).toBe(401)
    await page.close()
  })
}
