import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import type { Report } from '../../src/operations/report-record.ts'
import { countText } from '../../web/parts/format.ts'
import { askApi, busiestTins, makeBareReport, makeReport, sampleQuery } from './sample-report.ts'
import { member as account, settled, type World } from './world.ts'

export function reporting(there: () => World): void {
  const read = (id: string) => askApi<Report>(there().server.url, there().apiKey, `/reports/${id}`)
  const configure = (id: string, config: object) =>
    askApi(
      there().server.url,
      there().apiKey,
      `/reports/${id}/actions`,
      { contractModelConfigAction: { config } },
      { 'If-Match': '*' },
    )

  // Alone: the clipboard belongs to the page in front.
  it('is shared by its link with colleagues and nobody else', async ({ expect }) => {
    const { member, server, browser, ids } = there()
    const page = await member.newPage()
    await page.goto(`/reports/${ids.report}?tab=summaryPivot`)
    await settled(page)
    await page.getByLabel('Statistic').selectOption('Most')
    await page.getByRole('button', { name: 'Copy link for colleagues' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    await settled(page)
    const shown = await page.getByRole('table', { name: 'Pivot' }).innerText()

    const colleague = await browser.newContext({ baseURL: server.url })
    const theirs = await colleague.newPage()
    await theirs.goto(link)
    await theirs.getByLabel('E-mail address').fill(account.email)
    await theirs.getByLabel('Password').fill(account.password)
    await theirs.getByRole('button', { name: 'Log in' }).click()
    await theirs.getByRole('table', { name: 'Pivot' }).waitFor()
    expect(await theirs.getByRole('table', { name: 'Pivot' }).innerText()).toBe(shown)
    await colleague.close()
    await page.close()
    await expect(askApi(server.url, server.demoKey, `/reports/${ids.report}`)).rejects.toThrow('404')
  })

  it.concurrent('is made after its size was shown, and is found again by its name', async ({ expect }) => {
    const { member, server, apiKey } = there()
    const page = await member.newPage()
    const name = `Family doctors in Texas ${randomUUID()}`
    const asked = 'payers=Demo+Marigold&codes=99213%3ACPT&states=TX&taxonomies=207Q00000X'
    await page.goto('/reports/new')
    await page.getByRole('button', { name: 'See its size' }).click()
    await page.getByText('Choose a payer, a billing code, a state first.').waitFor()
    await page.goto(`/reports/new?${asked}`)
    await page.getByRole('button', { name: 'See its size' }).click()
    const { rows } = await askApi<{ rows: number }>(server.url, apiKey, '/reports/estimate', {
      query: {
        states: ['TX'],
        taxonomyCodes: ['207Q00000X'],
        payers: ['Demo Marigold'],
        billingCodeAndTypes: [{ code: '99213', type: 'CPT' }],
      },
    })
    expect(rows).toBeGreaterThan(0)
    await page.getByText(`${countText(rows)} rows`, { exact: true }).waitFor()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Make the report' }).click()
    await page.waitForURL(/\/reports\/[0-9a-f-]{36}/)
    await page.getByText('ready', { exact: true }).waitFor()
    await page.getByText(`${countText(rows)} rows`, { exact: true }).waitFor()

    await page.goto('/reports')
    await page.getByRole('link', { name }).waitFor()
    await page.getByLabel('Find by name').fill('no report is called so')
    await page.getByText('No such report').waitFor()
    await page.getByLabel('Find by name').fill(name.replace('Family doctors', 'family DOCTORS'))
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { name }).waitFor()
    await page.close()
  })

  it.concurrent('keeps TINs, competitors and mixes as they are chosen, undoes them, and opens with them again', async ({
    expect,
  }) => {
    const { member, server, apiKey } = there()
    const id = await makeBareReport(server.url, apiKey, 'To be configured')
    const [yours, other] = await busiestTins(server.url, apiKey, id)
    const page = await member.newPage()
    await page.goto(`/reports/${id}?tab=weightedContract`)
    await page.getByText('stands in for your rate').waitFor()
    const find = async (field: string, text: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).fill(text)
      // A select has options too; these are of the list below the field.
      await page
        .locator('ul [role=option]', { hasText: new RegExp(`${other!.value}|${yours!.value}`) })
        .first()
        .click()
    }
    // Pasted with its formatting, and found by name.
    await find('Your TINs', `${String(yours!.value).slice(0, 2)}-${String(yours!.value).slice(2)}`)
    await page.getByText('stands in for your rate').waitFor({ state: 'detached' })
    await find('Add a competitor', other!.title.replace(' (Synthetic)', ''))
    await page.getByRole('group', { name: /^Competitor / }).waitFor()
    await page.getByLabel('Annual revenue').fill('$8,000,000')
    await page.getByRole('group', { name: 'Payer mix, percent' }).getByLabel('Demo Everywhere').fill('75')
    await page.keyboard.press('Tab')
    await page.getByText('Sums to 75.0%').waitFor()
    await expect
      .poll(async () => (await read(id)).contractModelConfig, { timeout: 15_000 })
      .toMatchObject({
        yourTins: [{ value: yours!.value }],
        competitorColumns: [{ tins: [{ value: other!.value }], aggregation: 'median' }],
        totalAnnualRevenue: '$8,000,000',
        payerMix: [{ key: 'Demo Everywhere', percentOfBusiness: 75 }],
      })

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('None given: all count alike.').first().waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('Sums to 75.0%').waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()

    const again = await member.newPage()
    await again.goto(`/reports/${id}`)
    await again.getByText('1 TIN · 1 competitor · $8,000,000 a year').waitFor()
    await Promise.all([page.close(), again.close()])
  })

  it.concurrent('asks what to do when somebody else changed it meanwhile', async ({ expect }) => {
    const { member, server, apiKey } = there()
    const id = await makeReport(server.url, apiKey, 'Edited by two')
    const page = await member.newPage()
    await page.goto(`/reports/${id}?tab=percentile`)
    await settled(page)
    const best = page.getByLabel('Best rate only')
    await configure(id, { totalAnnualRevenue: 'theirs' })
    await best.check()
    await page.getByText('Somebody else changed this report').waitFor()
    expect((await read(id)).contractModelConfig).toMatchObject({ totalAnnualRevenue: 'theirs' })
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await read(id)).contractModelConfig).toMatchObject({
      isBestRateChosen: true,
      totalAnnualRevenue: '$12,500,000',
    })

    await configure(id, { isOutlierRemoved: false })
    await best.uncheck()
    await page.getByText('Somebody else changed this report').waitFor()
    await page.getByRole('button', { name: 'Reload theirs' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await page.getByLabel('Without outliers').isChecked()).toBe(false)
    expect((await read(id)).contractModelConfig).toMatchObject({ isOutlierRemoved: false })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(async () => (await read(id)).contractModelConfig, { timeout: 15_000 })
      .toMatchObject({ isOutlierRemoved: true, totalAnnualRevenue: '$12,500,000' })
    await page.close()
  })

  it.concurrent('is exported as CSV, Parquet and Excel', async ({ expect }) => {
    const { member, ids } = there()
    const { rowCount } = await read(ids.report)
    const page = await member.newPage()
    await page.goto(`/reports/${ids.report}?tab=percentile`)
    await settled(page)
    const saved = async (name: string) => {
      await page.getByText('Export', { exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name }).click(),
      ])
      await page.getByText('Export', { exact: true }).click()
      return readFileSync(await download.path())
    }
    const csv = (await saved('All rows, CSV')).toString().trimEnd().split('\r\n')
    expect(csv[0]).toMatch(/^payer,year_month,/)
    expect(csv).toHaveLength(rowCount! + 1)
    expect((await saved('All rows, Parquet')).subarray(0, 4).toString()).toBe('PAR1')
    expect((await saved('As filtered, Excel')).subarray(0, 2).toString()).toBe('PK')
    await page.close()
  })

  it.concurrent('is renamed, refreshed, put away, brought back and deleted', async ({ expect }) => {
    const { member, server, apiKey } = there()
    const { url } = server
    const { id } = await askApi<Report>(url, apiKey, '/reports', { name: 'Old name', query: sampleQuery })
    const page = await member.newPage()
    await page.goto(`/reports/${id}?tab=summaryPivot`)
    await page.getByText('ready', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Name of the report').fill('New name')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New name' }).waitFor()

    const { builtAt } = await read(id)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(async () => (await read(id)).builtAt, { timeout: 30_000 }).not.toBe(builtAt)
    await page.getByRole('button', { name: 'Refresh', exact: true }).and(page.locator(':enabled')).waitFor()

    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('archived', { exact: true }).waitFor()
    await page.goto('/reports?state=archived')
    await page.getByRole('link', { name: 'New name' }).click()
    await page.getByRole('button', { name: 'Bring back' }).click()
    await page.getByText('archived', { exact: true }).waitFor({ state: 'detached' })

    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Reports' }).waitFor()
    await expect(read(id)).rejects.toThrow('404')
    await page.goto(`/reports/${id}`)
    await page.getByText('There is no such report').waitFor()
    await page.close()
  })
}
