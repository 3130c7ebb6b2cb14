import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import type { ShownIds } from './pages-shown.ts'
import { makeCorrectedContract, makeScan } from './sample-contract.ts'
import { makeReport } from './sample-report.ts'
import { type DemoServer, startDemoServer } from '../support/demo-server.ts'

/** The real server with the demo, a browser, and somebody with an account. */
export interface World {
  readonly server: DemoServer
  readonly browser: Browser
  /** Logged in, with credits. */
  readonly member: BrowserContext
  readonly visitor: BrowserContext
  readonly ids: ShownIds
  /** A key of the member's organisation. */
  readonly apiKey: string
  /** What pages asked for, complained about and failed with, over the whole run. */
  readonly seen: Seen
  close(): Promise<void>
}

export interface Seen {
  readonly origins: Set<string>
  readonly complaints: string[]
}

export const member = {
  email: 'ana@lakeside.example',
  password: 'a long password',
  organization: 'Lakeside Health',
  credits: 10_000,
} as const

export async function openWorld(): Promise<World> {
  const server = await startDemoServer()
  const { apiKey } = await server.createAccount(member)
  const browser = await openBrowser()
  const seen: Seen = { origins: new Set(), complaints: [] }
  const open = async () => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(60_000)
    context.on('page', (page) => watch(page, seen))
    return context
  }
  const [visitor, known] = [await open(), await open()]
  const page = await known.newPage()
  await logIn(page)
  await page.close()
  return {
    server,
    browser,
    member: known,
    visitor,
    ids: {
      report: await makeReport(server.url, apiKey),
      contract: await makeCorrectedContract(server.url, apiKey, 'Cedar Valley and Aetna, 2024'),
      unread: await makeScan(server.url, apiKey, 'A scan of 1998'),
    },
    apiKey,
    seen,
    close: async () => {
      await browser.close()
      await server.stop()
    },
  }
}

function watch(page: Page, { origins, complaints }: Seen): void {
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http')) origins.add(origin)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Minified React error/.test(message.text()))
      complaints.push(`${page.url()}: ${message.text()}`)
  })
}

export async function logIn(page: Page): Promise<void> {
  await page.goto('/log-in')
  await page.getByLabel('E-mail address').fill(member.email)
  await page.getByLabel('Password').fill(member.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((now) => !now.pathname.includes('log-in'))
}

/** Waits until nothing is under way any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1, main .notice').first().waitFor()
  await page.locator('.busy').first().waitFor({ state: 'detached' })
  // A chart that is on its way has its place already.
  await page.locator('.plot:empty').first().waitFor({ state: 'detached' })
}

/** What a table shows, line by line. */
export const tableText = (page: Page, caption: string | RegExp) =>
  page.getByRole('table', { name: caption }).locator('tbody tr').allInnerTexts()
