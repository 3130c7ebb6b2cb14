import { expect, it } from 'vitest'
import { tableText, type World } from './world.ts'

export function provider(there: () => World): void {
  it('is found by a few letters; its rates stand beside the market and lead to their file', async () => {
    const page = await there().member.newPage()
    await page.goto('/providers')
    await page.getByRole('combobox', { name: 'Find a provider' }).fill('lakeview hosp')
    await page
      .getByRole('option', { name: /Lakeview Hospital/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: /Lakeview Hospital/ }).waitFor()
    await page.getByRole('button', { name: 'Show rates' }).click()
    await page.getByRole('table', { name: 'Rates by payer and code' }).waitFor()
    await page
      .getByText(/p10 to p25|p25 to median|median to p75|p75 to p90|p90 or above/)
      .first()
      .waitFor()
    const rows = await tableText(page, 'Rates by payer and code')
    expect(rows.length).toBeGreaterThan(10)

    const restored = await there().member.newPage()
    await restored.goto(page.url())
    await restored
      .getByText(/p25 to median|median to p75/)
      .first()
      .waitFor()
    expect(await tableText(restored, 'Rates by payer and code')).toEqual(rows)
    await restored.close()

    await page
      .getByRole('button', { name: /^File behind/ })
      .first()
      .click()
    await page.getByText('Where the rate was first seen').waitFor()
    expect(await page.getByText(/in_network\[\d+\]\.negotiated_rates\[\d+\]/).innerText()).toBeTruthy()
    await page.getByRole('heading', { level: 2, name: /in-network-rates/ }).waitFor()
    await page.close()
  })
}
