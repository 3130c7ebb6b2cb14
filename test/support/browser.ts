import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian puts its browser; another may be named. */
const executable = process.env['RATEBOOK_CHROMIUM'] ?? '/usr/bin/chromium'

export const hasBrowser = existsSync(executable)

/** A browser without a window that talks to nobody but us. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    timeout: 120_000,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
