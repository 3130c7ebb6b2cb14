import type { Page } from 'playwright-core'
import { it } from 'vitest'
import type { z } from 'zod'
import type {
  reportDummyClaims,
  reportModelContract,
  reportWeightedContract,
} from '../../src/operations/report-model-views.ts'
import type {
  reportInteractiveChart,
  reportPercentile,
  reportRateChange,
  reportSample,
  reportSummaryPivot,
} from '../../src/operations/report-views.ts'
import { countText, moneyText, percentText } from '../../web/parts/format.ts'
import { askApi, makeReport } from './sample-report.ts'
import { settled, tableText, type World } from './world.ts'

type Answer<Operation extends { response: z.ZodType }> = z.output<Operation['response']>

const yearText = (value: number) => moneyText(Math.round(value)).replace(/\.00$/, '')

/** Each of the nine sides shows what the API answers. */
export function reportTabs(there: () => World): void {
  const open = async (tab: string, more = '', id = there().ids.report): Promise<Page> => {
    const page = await there().member.newPage()
    await page.goto(`/reports/${id}?tab=${tab}${more}`)
    await settled(page)
    return page
  }
  const view = <Shown>(tab: string, body: object = {}, id = there().ids.report) =>
    askApi<Shown>(there().server.url, there().apiKey, `/reports/${id}/views/${tab}`, body)

  it.concurrent('draws distributions with your rate and competitors marked, by any dimension', async ({
    expect,
  }) => {
    const page = await open('interactiveChart')
    const { groups } = await view<Answer<typeof reportInteractiveChart>>('interactiveChart')
    await page.getByRole('img', { name: `Distribution of ${groups.length} groups` }).waitFor()
    await page.getByRole('img', { name: `Histogram of the rates of ${groups[0]!.value}` }).waitFor()
    const rows = await tableText(page, 'Distribution by payer')
    for (const [at, group] of groups.entries()) {
      expect(rows[at]).toContain(String(group.value))
      expect(rows[at]).toContain(moneyText(group.p50))
      const [yours] = group.marks
      expect(rows[at]).toContain(yours!.rate === null ? '–' : moneyText(yours!.rate))
    }
    await page.getByLabel('One line for each').selectOption('State')
    await page.getByRole('table', { name: 'Distribution by state' }).waitFor()
    expect(new URL(page.url()).searchParams.get('by')).toBe('state')
    await page.close()
  })

  it.concurrent('pivots with totals that are computed, not summed', async ({ expect }) => {
    const page = await open('summaryPivot')
    const { rows, totals } = await view<Answer<typeof reportSummaryPivot>>('summaryPivot', {
      rows: ['payer'],
      columns: ['billing_code'],
    })
    const shown = await tableText(page, 'Pivot')
    expect(shown).toHaveLength(rows.length)
    for (const [at, { cells, total }] of rows.entries())
      for (const value of [...cells, total])
        expect(shown[at]).toContain(value === null ? '–' : moneyText(value))
    const foot = await page.getByRole('table', { name: 'Pivot' }).locator('tfoot').innerText()
    expect(foot).toContain(moneyText(totals.total!))
    await page.getByLabel('Statistic').selectOption('Number of TINs')
    await settled(page)
    const { totals: tins } = await view<Answer<typeof reportSummaryPivot>>('summaryPivot', {
      rows: ['payer'],
      columns: ['billing_code'],
      aggregation: 'num_distinct_tins',
    })
    await page.locator('tfoot', { hasText: countText(tins.total!) }).waitFor()
    await page.close()
  })

  it.concurrent('ranks your rate among the percentiles of each group', async ({ expect }) => {
    const page = await open('percentile')
    const { rows } = await view<Answer<typeof reportPercentile>>('percentile')
    const shown = await tableText(page, 'Percentiles by group')
    for (const [at, { percentiles, marks }] of rows.entries()) {
      const rate = marks[0]?.rate ?? null
      expect(shown[at]).toContain(moneyText(percentiles['p75']!))
      expect(shown[at]).toContain(
        rate === null ? '–' : `${moneyText(rate)} (p${Math.round(marks[0]!.percentileRank!)})`,
      )
    }
    expect(rows.some(({ marks }) => marks[0]?.rate != null)).toBe(true)
    await page.close()
  })

  it.concurrent('draws a sample that a seed draws again', async ({ expect }) => {
    const page = await open('sample', '&seed=spring&size=20')
    const { data } = await view<Answer<typeof reportSample>>('sample', { seed: 'spring', size: 20 })
    const first = await tableText(page, 'Sample of rows')
    expect(first).toHaveLength(20)
    for (const [at, row] of data.entries())
      expect(first[at]).toContain(moneyText(row['negotiated_rate'] as number))
    await page.getByRole('button', { name: 'Draw others' }).click()
    await page.getByText('drawn with the seed spring').waitFor({ state: 'detached' })
    expect(await tableText(page, 'Sample of rows')).not.toEqual(first)
    await page.close()
  })

  it.concurrent('lists every row, filtered and sorted by the server, and undoes both', async ({ expect }) => {
    const { server, apiKey } = there()
    const id = await makeReport(server.url, apiKey, 'Rows to filter')
    const page = await open('fullData', '', id)
    const count = () => page.getByText(/^[\d,]+ of [\d,]+ rows$/).innerText()
    const before = await count()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Column', { exact: true }).selectOption('Code')
    await page.getByLabel('Value').fill('93306')
    await page.getByRole('button', { name: 'Use it' }).click()
    const { totalRows } = await askApi<{ totalRows: number }>(server.url, apiKey, `/reports/${id}/rows`, {
      filter: { op: 'AND', filters: [{ op: 'EQUAL', field: 'billing_code', value: '93306' }] },
      pagination: { pageSize: 1 },
    })
    await page
      .getByText(`of ${countText(totalRows)} rows`)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Rate', exact: true }).click()
    await page.locator('th[aria-sort=descending]', { hasText: 'Rate' }).waitFor()
    await settled(page)
    const { data } = await askApi<{ data: { negotiated_rate: number }[] }>(
      server.url,
      apiKey,
      `/reports/${id}/rows`,
      {
        filter: { op: 'AND', filters: [{ op: 'EQUAL', field: 'billing_code', value: '93306' }] },
        sorts: [{ id: 'negotiated_rate', desc: true }],
        pagination: { pageSize: 1 },
      },
    )
    const [top] = await tableText(page, 'Rows of the report')
    expect(top).toContain(moneyText(data[0]!.negotiated_rate))
    expect(top).toContain('93306')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(before, { exact: true }).waitFor()
    await page.close()
  })

  it.concurrent('compares two months', async ({ expect }) => {
    const page = await open('rateChange')
    const { summary, rows } = await view<Answer<typeof reportRateChange>>('rateChange', { sort: 'change' })
    expect(await page.locator('dl.facts.columns dd').allInnerTexts()).toEqual(
      [summary.increased, summary.decreased, summary.unchanged, summary.new, summary.gone].map(countText),
    )
    const [first] = await tableText(page, /^Change from/)
    expect(first).toContain(`+${moneyText(rows[0]!.change!)}`)
    expect(first).toContain(`+${percentText(rows[0]!.changePercent!)}`)
    await page.getByLabel('▼ fell').click()
    await page.waitForURL(/kinds=decreased/)
    await page.close()
  })

  it.concurrent('weighs your contract against the baseline', async ({ expect }) => {
    const page = await open('weightedContract')
    const { total, byPayer } = await view<Answer<typeof reportWeightedContract>>('weightedContract')
    expect(total.coveredPercent).toBeGreaterThan(0)
    const figures = await page.locator('dl.headline dd').allInnerTexts()
    expect(figures).toEqual([
      String(Math.round(total.index! * 10) / 10),
      yearText(total.revenue),
      yearText(total.atBaseline),
      `${total.difference > 0 ? '+' : ''}${yearText(total.difference)}`,
    ])
    const payers = await tableText(page, 'By payer')
    for (const [at, row] of byPayer.entries()) expect(payers[at]).toContain(yearText(row.atBaseline))
    await page.close()
  })

  it.concurrent('prices made-up claims under each contract, the same ones for the same seed', async ({
    expect,
  }) => {
    const page = await open('dummyClaims', '&seed=spring&claims=500')
    const { columns, rows } = await view<Answer<typeof reportDummyClaims>>('dummyClaims', {
      seed: 'spring',
      claims: 500,
    })
    const shown = await tableText(page, 'Claims under each contract')
    for (const [at, { label, total }] of columns.entries()) {
      expect(shown[at]).toContain(label)
      expect(shown[at]).toContain(moneyText(total))
    }
    const claims = await tableText(page, 'Claims drawn')
    expect(claims[0]).toContain(rows[0]!.payer)
    await page.close()
  })

  it.concurrent('models a contract in a grid where rates are typed over, by keyboard', async ({ expect }) => {
    const { server, apiKey } = there()
    const id = await makeReport(server.url, apiKey, 'Rates to type')
    const page = await open('modelContract', '', id)
    const before = await view<Answer<typeof reportModelContract>>('modelContract', {}, id)
    const at = before.rows.findIndex(({ cells }) => cells['negotiated_rate']?.rate != null)
    const row = before.rows[at]!
    const cell = page.getByLabel(`Your rate, ${row.payer} ${row.billing_code}`)
    expect(await cell.inputValue()).toBe(moneyText(row.cells['negotiated_rate']!.rate!))
    // The grid is drawn anew when an answer arrives; a person would wait for that too.
    await page.waitForLoadState('networkidle')
    await cell.focus()
    await page.keyboard.type('1234.5')
    await page.keyboard.press('Enter')
    const typed = page.getByLabel(`Your rate, ${row.payer} ${row.billing_code}, typed`)
    await typed.waitFor()
    expect(await typed.inputValue()).toBe('$1,234.50')
    await page.getByText('Saved', { exact: true }).waitFor()
    const after = await view<Answer<typeof reportModelContract>>('modelContract', {}, id)
    expect(after.rows[at]!.cells['negotiated_rate']).toMatchObject({ rate: 1234.5, isManual: true })

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await typed.waitFor({ state: 'detached' })
    expect(await cell.inputValue()).toBe(moneyText(row.cells['negotiated_rate']!.rate!))
    await page.close()
  })
}
