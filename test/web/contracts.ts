import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { agreement, makeContract } from './sample-contract.ts'
import { askApi } from './sample-report.ts'
import type { World } from './world.ts'

const payers = (page: Page) => page.getByRole('region', { name: 'Payers' })

async function rename(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Correct ${from}`, exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Keep' }).click()
  await payers(page).getByRole('button', { name: to, exact: true }).waitFor()
}

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
