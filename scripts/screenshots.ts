/**
 * Makes pictures of every page at desktop and phone width, light and dark, to be looked at before a release:
 * `node scripts/screenshots.ts FOLDER [PAGE…]`. Starts a server with the demo, or takes one that runs: RATEBOOK_URL with
 * RATEBOOK_EMAIL and RATEBOOK_PASSWORD, and RATEBOOK_KEY for a report and a contract to show.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'
import { startDemoServer } from '../test/support/demo-server.ts'
import { pagesShown } from '../test/web/pages-shown.ts'
import { makeCorrectedContract, makeScan } from '../test/web/sample-contract.ts'
import { makeReport } from '../test/web/sample-report.ts'

const [folder = 'screenshots', ...only] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

const given = process.env['RATEBOOK_URL']
const server = given ? undefined : await startDemoServer()
const url = given ?? server!.url
const email = process.env['RATEBOOK_EMAIL'] ?? 'ana@lakeside.example'
const password = process.env['RATEBOOK_PASSWORD'] ?? 'a long password'
const made = await server?.createAccount({
  email,
  password,
  organization: 'Lakeside Health',
  credits: 100_000,
})
const apiKey = process.env['RATEBOOK_KEY'] ?? made?.apiKey
const ids = apiKey
  ? {
      report: await makeReport(url, apiKey),
      contract: await makeCorrectedContract(url, apiKey, 'Cedar Valley and Aetna, 2024'),
      unread: await makeScan(url, apiKey, 'A scan of 1998'),
    }
  : undefined

const browser = await openBrowser()
const visitor = await browser.newContext()
const member = await browser.newContext()
await logIn(await member.newPage())

for (const { name, path, access, prepare } of pagesShown) {
  if (only.length > 0 && !only.includes(name)) continue
  if (typeof path !== 'string' && !ids) continue
  const page = await (access === 'member' ? member : visitor).newPage()
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`))
  // A page with something unsaved asks before it is left.
  page.on('dialog', (dialog) => void dialog.accept())
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(url + (typeof path === 'string' ? path : path(ids!)))
      await settled(page)
      await prepare?.(page)
      await settled(page)
      if (!(await page.locator('dialog[open]').count())) await showWhole(page, width)
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
  await page.close()
  console.log(name)
}
await browser.close()
await server?.stop()

async function logIn(page: Page): Promise<void> {
  await page.goto(`${url}/log-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((now) => !now.pathname.includes('log-in'))
  await page.close()
}

/** Waits until nothing is under way any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('.busy').first().waitFor({ state: 'detached' })
}

/** Makes the window as high as the page. The browser's own pictures of whole pages narrow the window for a moment, and charts follow. */
async function showWhole(page: Page, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(height, 8_000) })
  await page.waitForTimeout(200)
}
