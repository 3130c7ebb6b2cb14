import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { consent } from './consent.ts'
import { contracts } from './contracts.ts'
import { everyPage } from './every-page.ts'
import { exploring } from './exploring.ts'
import { keyboard } from './keyboard.ts'
import { keys } from './keys.ts'
import { newcomer } from './newcomer.ts'
import { provider } from './provider.ts'
import { reportTabs } from './report-tabs.ts'
import { reporting } from './reporting.ts'
import { openWorld, type World } from './world.ts'

const mustRun = process.env['CI'] === 'true'
if (!hasBrowser && !mustRun)
  console.warn(
    'No browser at /usr/bin/chromium (or RATEBOOK_CHROMIUM): the web application is not tried in one.',
  )

// Three pages at a time on two cores: a page that is starved of its turn is asked once more, and the run says so.
describe.skipIf(!hasBrowser && !mustRun)(
  'the web application in a browser',
  { timeout: 180_000, retry: 1 },
  () => {
    let world: World | undefined
    const there = () => world!

    beforeAll(async () => {
      world = await openWorld()
    }, 300_000)
    afterAll(async () => world?.close(), 60_000)

    newcomer(there)
    exploring(there)
    provider(there)
    keys(there)
    keyboard(there)
    consent(there)
    reporting(there)
    reportTabs(there)
    contracts(there)
    everyPage(there)

    it('never asked anybody but our own server, and no page failed', () => {
      expect([...there().seen.origins]).toEqual([there().server.url])
      expect(there().seen.complaints).toEqual([])
    })
  },
)
