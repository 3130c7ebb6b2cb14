import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { pagesShown } from './pages-shown.ts'
import { settled, type World } from './world.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core holds against a page: rule, how bad, where. */
async function violations(page: Page, options: object): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (options: object) => Promise<{
          violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[]
        }>
      }
    }
    const found = await axe.run(chosen)
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
      )
  }, options)
}

const everything = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
// Only colours differ between the themes.
const contrast = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

export function everyPage(there: () => World): void {
  it.each(pagesShown.map((shown) => [shown.name, shown] as const))(
    '%s is accessible in both themes and fits a phone',
    async (_, { path, access, prepare }) => {
      const { member, visitor } = there()
      const page = await (access === 'member' ? member : visitor).newPage()
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      await settled(page)
      await prepare?.(page)
      await settled(page)
      expect.soft(await violations(page, everything), 'light').toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect.soft(await violations(page, contrast), 'dark').toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await settled(page)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect.soft(width, 'width of the page on a phone').toBeLessThanOrEqual(390)
      await page.close()
    },
  )

  it('is served with a policy that allows no inline script and no other origin', async () => {
    const answer = await fetch(`${there().server.url}/explore`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|unsafe-eval/)
    expect(await answer.text()).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|\son\w+=/)
  })
}
