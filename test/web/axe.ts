import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core holds against a page: rule, how bad, where. */
export async function violations(page: Page, options: object): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (
          where: object,
          options: object,
        ) => Promise<{
          violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[]
        }>
      }
    }
    // Lines of a table repeat each other; the first ones stand for all.
    const found = await axe.run({ include: ['html'], exclude: ['tbody tr:nth-child(n+7)'] }, chosen)
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
      )
  }, options)
}

/** Nothing is gathered about what passes, and nothing is loaded again to look at it. */
const onlyViolations = { resultTypes: ['violations'], preload: false }

/** All that WCAG AA asks for, and good habits. */
export const everything = {
  ...onlyViolations,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** Only colours differ between the themes. */
export const contrast = {
  ...onlyViolations,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}
