import { it } from 'vitest'
import { contrast, everything, violations } from './axe.ts'
import { pagesShown } from './pages-shown.ts'
import { settled, type World } from './world.ts'

export function everyPage(there: () => World): void {
  it.concurrent.for(pagesShown.map((shown) => [shown.name, shown] as const))(
    '%s is accessible in both themes and fits a phone',
    async ([, { path, access, prepare }], { expect }) => {
      const { member, visitor, ids } = there()
      const page = await (access === 'member' ? member : visitor).newPage()
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(typeof path === 'string' ? path : path(ids))
      await settled(page)
      if (prepare) {
        await prepare(page)
        await settled(page)
      }
      expect.soft(await violations(page, everything), 'light').toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect.soft(await violations(page, contrast), 'dark').toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      const width = await page.evaluate<number>(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(document.documentElement.scrollWidth))))',
      )
      expect.soft(width, 'width of the page on a phone').toBeLessThanOrEqual(390)
      await page.close()
    },
  )

  it('is served with a policy that allows no inline script and no other origin', async ({ expect }) => {
    const answer = await fetch(`${there().server.url}/explore`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|unsafe-eval/)
    expect(await answer.text()).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|\son\w+=/)
  })
}
