import { expect, it } from 'vitest'
import type { World } from './world.ts'

export function newcomer(there: () => World): void {
  it('sees a live example, signs up, gets a key, and calls the API with it', async () => {
    const { browser, server } = there()
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    await page.goto('/')
    await page.getByText('Synthetic demo data').waitFor()
    await page.getByRole('img', { name: /Spread of rates/ }).waitFor()

    await page.getByRole('link', { name: 'Sign up, 5 free calls' }).click()
    await page.getByLabel('E-mail address').fill('new@clinic.example')
    await page.getByLabel('Organisation').fill('New Clinic')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Make my account' }).click()
    await page.locator('.field .error').waitFor()
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Make my account' }).click()
    const key = await page.getByLabel('API key').innerText()
    expect(key).toMatch(/^rb_/)

    await page.goto('/documentation')
    await page.getByLabel('API key').fill(key)
    const payers = page.getByRole('region', { name: 'GET /api/v1/payers' })
    await payers.getByRole('button', { name: 'Read and try' }).click()
    await payers.getByRole('button', { name: 'Try it' }).click()
    const answer = payers.getByLabel('Answer')
    await answer.waitFor()
    expect(await answer.innerText()).toMatch(/^HTTP 200[^]*x-credits-remaining: 4[^]*Demo Atlantic/)
    await context.close()
  })
}
