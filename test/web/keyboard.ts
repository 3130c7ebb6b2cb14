import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { member, tableText, type World } from './world.ts'

// Runs in the page.
const nameOfFocused = `(() => {
  const element = document.activeElement
  return element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent ?? ''
})()`

/** Presses Tab until the thing with this name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string | RegExp, most = 60): Promise<void> {
  const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(nameOfFocused)
    if (matches(focused.trim())) return
  }
  throw new Error(`Tab never reached ${String(name)} on ${page.url()}`)
}

export function keyboard(there: () => World): void {
  it('is enough: log in, fill the question, ask, sort', async () => {
    const { browser, server } = there()
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    await page.goto('/log-in?next=/explore')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await tabTo(page, 'E-mail address')
    await page.keyboard.type(member.email)
    await tabTo(page, 'Password')
    await page.keyboard.type(member.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Explore prices' }).waitFor()

    const take = async (field: string, text: string) => {
      await tabTo(page, field)
      await page.keyboard.type(text)
      await page
        .getByRole('option', { name: new RegExp(text, 'i') })
        .first()
        .waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
    }
    await take('Payers', 'Marigold')
    await take('Billing codes', '99213')
    await take('Specialties', 'family medicine')
    await take('States', 'TX')
    await tabTo(page, 'Show prices')
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).not.toBe('none')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Statistics by group' }).waitFor()
    expect(await tableText(page, 'Statistics by group')).toHaveLength(1)
    await tabTo(page, 'Median')
    await page.keyboard.press('Enter')
    await page.getByRole('columnheader', { name: 'Median' }).and(page.locator('[aria-sort]')).waitFor()
    await context.close()
  })
}
