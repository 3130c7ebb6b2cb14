import { expect, it } from 'vitest'
import { settled, tableText, type World } from './world.ts'

export function exploring(there: () => World): void {
  it('shows an example as a picture and a table, and a link restores the same view', async () => {
    const page = await there().member.newPage()
    await page.goto('/explore')
    await page.getByRole('button', { name: 'Show an example' }).click()
    await page.getByRole('img', { name: /Spread of rates/ }).waitFor()
    await page.getByLabel('Show rates as').selectOption('medicare_2025')
    await page.getByRole('table', { name: /percent of Medicare/ }).waitFor()
    await page.getByRole('button', { name: 'Median' }).click()
    await settled(page)
    const shown = await tableText(page, /Statistics/)
    expect(shown.length).toBeGreaterThan(1)
    expect(shown[0]).toMatch(/\d%/)
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')

    const other = await there().member.newPage()
    await other.goto(link)
    await other.getByRole('img', { name: /Spread of rates/ }).waitFor()
    expect(await tableText(other, /Statistics/)).toEqual(shown)
    expect(await other.getByRole('group', { name: 'Payers: chosen' }).innerText()).toBe(
      await page.getByRole('group', { name: 'Payers: chosen' }).innerText(),
    )
    await Promise.all([page.close(), other.close()])
  })

  it('asks only when sent, counts the credit, and goes back without another', async () => {
    const page = await there().member.newPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/market/benchmarks')) asked.push(request.postData() ?? '')
    })
    await page.goto('/explore')
    const credits = async () =>
      Number((await page.getByTitle('Credits left').innerText()).replaceAll(/\D/g, ''))
    const before = await credits()
    await page.getByRole('button', { name: 'Show prices' }).click()
    await page.getByText('Choose a payer, a state, a specialty, a billing code first.').waitFor()
    expect(asked).toEqual([])

    await page.getByRole('button', { name: 'Show an example' }).click()
    await page.getByRole('table', { name: 'Statistics by group' }).waitFor()
    const first = await tableText(page, 'Statistics by group')
    await page.getByRole('button', { name: 'Over time' }).click()
    await page.getByRole('img', { name: /Median over time/ }).waitFor()
    await page.goBack()
    await page.getByRole('img', { name: /Spread of rates/ }).waitFor()
    expect(await tableText(page, 'Statistics by group')).toEqual(first)
    expect(asked).toHaveLength(2)
    expect(await credits()).toBe(before - 2)
    await page.close()
  })

  it('gives the request as code that answers the same', async () => {
    const page = await there().member.newPage()
    await page.goto('/explore')
    const sent = page.waitForResponse((response) => response.url().endsWith('/market/benchmarks'))
    await page.getByRole('button', { name: 'Show an example' }).click()
    const rows: unknown = await (await sent).json()
    await page.getByRole('button', { name: 'Show as API call' }).click()
    const curl = await page.locator('dialog[open] pre').innerText()
    const body = /-d '([^]*)'$/.exec(curl)![1]!
    const answer = await fetch(/'(http[^']*)'/.exec(curl)![1]!, {
      method: 'POST',
      headers: { Authorization: `Bearer ${there().server.demoKey}`, 'Content-Type': 'application/json' },
      body,
    })
    expect(await answer.json()).toEqual(rows)

    await page.getByRole('tab', { name: 'Tool call' }).click()
    const call = JSON.parse(await page.locator('dialog[open] pre').innerText()) as object
    const told = await fetch(`${there().server.url}/api/v1/open/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${there().server.demoKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
    })
    const text = await told.text()
    expect(text).toContain(String((rows as { value: number }[])[0]!.value))
    expect(text).not.toContain('"isError":true')
    await page.close()
  })

  it('can be cancelled while it asks, and says when it cannot', async () => {
    const page = await there().member.newPage()
    await page.route('**/market/benchmarks', () => {})
    await page.goto('/explore')
    await page.getByRole('button', { name: 'Show an example' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.unroute('**/market/benchmarks')
    await page.route('**/market/benchmarks', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'query_too_wide', detail: 'Too many codes.', status: 400 }),
      }),
    )
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByText('This question is too wide').waitFor()
    expect(await page.getByText('Too many codes.').count()).toBe(1)
    await page.unroute('**/market/benchmarks')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'Statistics by group' }).waitFor()
    await page.close()
  })
}
