import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { agreement, longAgreement, makeContract } from './sample-contract.ts'
import { askApi } from './sample-report.ts'
import type { World } from './world.ts'

const payers = (page: Page) => page.getByRole('region', { name: 'Payers' })

async function rename(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Correct ${from}`, exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Keep' }).click()
  await payers(page).getByRole('button', { name: to, exact: true }).waitFor()
}

/** Selects words in the document, in the page. */
const selectWords = `(words) => {
  for (const box of document.querySelectorAll('.page-text')) {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(words)
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      getSelection().removeAllRanges()
      getSelection().addRange(range)
      return
    }
  }
  throw new Error('No such words.')
}`
/** Whether something lies within the pane of the document. */
const isInSight = `(mark) => {
  const pane = mark.closest('.document').getBoundingClientRect()
  const { top, bottom } = mark.getBoundingClientRect()
  return top >= pane.top && bottom <= pane.bottom
}`

export function contracts(there: () => World): void {
  it.concurrent('reads an uploaded contract, and shows the sentence that an entity came from', async ({
    expect,
  }) => {
    const page = await there().member.newPage()
    await page.goto('/contracts')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Choose a file first.').waitFor()
    const upload = async (name: string, content: Buffer) => {
      await page
        .getByLabel('Documents to upload')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content })
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
    }
    await upload('picture.txt', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))
    await page.getByText('The file is none of PDF').waitFor()
    await upload('Harbor Point.txt', Buffer.from(agreement))
    const line = page.getByRole('row', { name: /Harbor Point/ })
    await line.getByText('ready').waitFor()
    await line.getByRole('link').click()
    await page.getByRole('heading', { name: 'Harbor Point' }).waitFor()

    await payers(page).getByRole('button', { name: 'Aetna Health Inc.', exact: true }).click()
    const mark = page.getByRole('region', { name: 'Text of the document' }).locator('mark').first()
    await mark.waitFor()
    expect(agreement.replaceAll(/\s+/g, ' ')).toContain((await mark.innerText()).replaceAll(/\s+/g, ' '))
    expect(await mark.innerText()).toContain('Aetna Health Inc.')
    const pricing = page.getByRole('region', { name: 'Pricing terms' })
    await pricing.getByText(/110/).first().waitFor()
    expect(await pricing.getByRole('button', { name: /Correct|Remove/ }).count()).toBe(0)

    await page.goto('/contracts')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete Harbor Point' }).click()
    await line.waitFor({ state: 'detached' })
    await page.close()
  })

  it.concurrent('corrects entities with undo, saves them as one revision, and reverts', async ({
    expect,
  }) => {
    const { member, server, apiKey } = there()
    const id = await makeContract(server.url, apiKey, 'To be corrected')
    const page = await member.newPage()
    await page.goto(`/contracts/${id}`)
    await rename(page, 'Aetna Health Inc.', 'Aetna Life Inc.')
    await page.getByRole('button', { name: 'Correct signed' }).click()
    await page.getByLabel('Signed', { exact: true }).fill('2023-12-15')
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('button', { name: 'Add to states' }).click()
    await page.getByLabel('Value', { exact: true }).fill('Texas')
    await page.getByLabel('Normalised value').fill('Texas')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove 1234567893' }).click()

    // The third of four is wrong: it says so where it stands, and nothing is saved.
    await page.getByRole('button', { name: 'Save 4 corrections' }).click()
    const bar = page.getByRole('region', { name: 'Corrections to save' })
    await bar.getByRole('listitem').nth(2).getByText('a state has two letters').waitFor()
    await page.getByRole('button', { name: 'Undo correction 3' }).click()
    await page.getByRole('button', { name: 'Undo correction 3' }).click()
    await page.getByRole('button', { name: 'Remove 1234567893' }).waitFor()
    await page.getByRole('button', { name: 'Save 2 corrections' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.getByText('Revision 1.').waitFor()

    await page.getByRole('button', { name: 'History' }).click()
    const newest = page.getByRole('list', { name: 'Revisions' }).getByRole('listitem').first()
    await newest.getByText('ana@lakeside.example').waitFor()
    await newest.getByText('Aetna Life Inc.').waitFor()
    expect(await newest.locator('del').allInnerTexts()).toEqual(['Aetna Health Inc.'])
    expect(await newest.locator('ins').allInnerTexts()).toEqual(['2023-12-15', 'Aetna Life Inc.'])
    await page.getByRole('button', { name: 'Read revision 0' }).click()
    await page.getByText('Read-only. The newest is revision 1.').waitFor()
    await page.getByRole('button', { name: 'Aetna Health Inc.', exact: true }).waitFor()
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Revert to revision 0' }).click()
    await page.getByText('Reverted to revision 0').waitFor()
    await page.getByRole('button', { name: 'Document and entities' }).click()
    await payers(page).getByRole('button', { name: 'Aetna Health Inc.', exact: true }).waitFor()
    await page.close()
  })

  it.concurrent('adds a clause with a quote from the document, and a payer found by a few letters', async ({
    expect,
  }) => {
    const { member, server, apiKey } = there()
    const id = await makeContract(server.url, apiKey, 'Of many pages', longAgreement)
    const page = await member.newPage()
    await page.goto(`/contracts/${id}`)
    await page.getByRole('button', { name: 'Add to clauses' }).click()
    const form = page.getByRole('form', { name: 'Add to clauses' })
    await form.getByLabel('Type of clause').fill('notice')
    await form.getByLabel('Value').fill('Notices in writing')
    await form.getByLabel('Words of the document').fill('words that stand nowhere')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('These words are not in the document').waitFor()
    await form.getByRole('button', { name: 'Take what is selected' }).click()
    await form.getByText('Select words in the document first.').waitFor()
    // As somebody draws the mouse over a line.
    const words = 'given in writing and by certified mail'
    await page.evaluate(`(${selectWords})(${JSON.stringify(words)})`)
    await form.getByRole('button', { name: 'Take what is selected' }).click()
    await form.getByText('From page 14.').waitFor()
    expect(await form.getByLabel('Words of the document').inputValue()).toBe(words)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add to payers' }).click()
    const payer = page.getByRole('form', { name: 'Add to payers' })
    await payer.getByLabel('Name', { exact: true }).fill('Cigna Health and Life Insurance Company')
    await payer.getByRole('combobox', { name: 'Payer of the registry' }).fill('cig')
    await payer
      .getByRole('option', { name: /^Cigna/ })
      .first()
      .click()
    await payer.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Save 2 corrections' }).click()
    await page.getByText('Revision 1.').waitFor()

    // The page scrolls to the quoted sentence, which is far down.
    const clauses = page.getByRole('region', { name: 'Clauses', exact: true })
    const mark = page.locator('mark', { hasText: words })
    expect(await mark.count()).toBe(0)
    await clauses.getByRole('button', { name: 'Notices in writing', exact: true }).click()
    await mark.waitFor()
    expect(await page.evaluate(`(${isInSight})(document.querySelector('mark'))`)).toBe(true)
    const { resolvedEntities, evidence } = await askApi<{
      resolvedEntities: {
        parties: { payers: { payerpricePayer?: string }[] }
        contractTerms: { clauses: { value: string; evidenceIds: string[] }[] }
      }
      evidence: { id: string; text: string; page: number }[]
    }>(server.url, apiKey, `/contracts/${id}/entities`)
    expect(resolvedEntities.parties.payers.at(-1)?.payerpricePayer).toBe('Cigna')
    const added = resolvedEntities.contractTerms.clauses.find(({ value }) => value === 'Notices in writing')
    expect(evidence.filter((one) => added?.evidenceIds.includes(one.id))).toMatchObject([
      { text: words, page: 14 },
    ])
    await page.close()
  })

  it.concurrent('shows why a document could not be read, deletes it on its page, and gives an upload up', async ({
    expect,
  }) => {
    const page = await there().member.newPage()
    await page.goto('/contracts')
    const choose = (name: string, content: string) =>
      page
        .getByLabel('Documents to upload')
        .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(content) })
    await choose('Broken paper.pdf', '%PDF-1.7 nothing else')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const line = page.getByRole('row', { name: /Broken paper/ })
    await line.getByText('failed').waitFor()
    await line.getByRole('link').click()
    await page.getByText('The document could not be read').waitFor()
    await page.getByText('The PDF is damaged and cannot be opened. Open it in a PDF program').waitFor()
    await page.getByRole('link', { name: 'Upload another version' }).waitFor()
    let question = ''
    page.on('dialog', (dialog) => {
      const isFirst = question === ''
      question = dialog.message()
      void (isFirst ? dialog.dismiss() : dialog.accept())
    })
    const remove = page.getByRole('button', { name: 'Delete Broken paper' })
    await remove.click()
    expect(question).toContain('Delete “Broken paper”')
    await remove.click()
    await page.waitForURL(/\/contracts$/)
    await line.waitFor({ state: 'detached' })

    // An upload that never ends is given up, and leaves nothing.
    await page.route('**/api/v1/contracts', (route) =>
      route.request().method() === 'POST' ? new Promise<void>(() => {}) : route.continue(),
    )
    await choose('On its way.pdf', '%PDF-1.7')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Sending On its way.pdf…').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Sending On its way.pdf…').waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.close()
  })

  it.concurrent('keeps corrections when somebody else saved meanwhile', async ({ expect }) => {
    const { member, server, apiKey } = there()
    const id = await makeContract(server.url, apiKey, 'Corrected by two')
    const page = await member.newPage()
    await page.goto(`/contracts/${id}`)
    await rename(page, 'Aetna Health Inc.', 'Aetna Life Inc.')
    await askApi(server.url, apiKey, `/contracts/${id}/edits`, {
      requestId: 'theirs',
      baseRevision: 0,
      operations: [
        { operation: 'set', entityId: 'root', fieldPath: 'contractTerms.signedDate', value: '2023-11-30' },
      ],
    })
    await page.getByRole('button', { name: 'Save 1 correction' }).click()
    await page.getByText('Somebody else saved meanwhile').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('2023-11-30').waitFor()
    await page.getByRole('button', { name: 'Save 1 correction' }).click()
    await page.getByText('Revision 2.').waitFor()
    const { resolvedEntities } = await askApi<{
      resolvedEntities: { parties: { payers: { name: string }[] } }
    }>(server.url, apiKey, `/contracts/${id}/entities`)
    expect(resolvedEntities.parties.payers.map(({ name }) => name)).toContain('Aetna Life Inc.')
    await page.close()
  })

  it.concurrent('is read-only for members', async ({ expect }) => {
    const { member, server, apiKey, browser } = there()
    const id = await makeContract(server.url, apiKey, 'Only to be read')
    const admin = await member.newPage()
    await admin.goto('/account/members')
    await admin.getByLabel('E-mail address').fill('ben@lakeside.example')
    await admin.getByRole('button', { name: 'Send the invitation' }).click()
    await admin.getByRole('table', { name: 'Open invitations' }).getByText('ben@lakeside.example').waitFor()
    const token = /\/invitation\?token=([\w-]+)/.exec(server.log().slice(server.log().indexOf('ben@')))?.[1]
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    await page.goto(`/invitation?token=${token}`)
    await page.getByLabel('Choose a password').fill('another long password')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL(/\/account/)

    await page.goto('/contracts')
    await page.getByRole('link', { name: 'Only to be read' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Upload$|Documents|Delete )/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Only to be read' }).click()
    await payers(page).getByRole('button', { name: 'Aetna Health Inc.', exact: true }).click()
    await page.locator('mark').first().waitFor()
    expect(await page.getByRole('button', { name: /^(Correct|Remove|Add)/ }).count()).toBe(0)
    await page.goto(`/contracts/${id}?view=history`)
    await page.getByRole('button', { name: 'Read revision 0' }).waitFor()
    expect(await page.getByRole('button', { name: /^Revert/ }).count()).toBe(0)
    await context.close()
    await admin.close()
  })
}
