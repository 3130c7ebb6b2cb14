import { expect, it } from 'vitest'
import type { Contract } from '../../../src/operations/contracts.ts'
import { openContracts, sampleWords } from '../../support/contract-door.ts'
import { bytesOf } from '../../support/contract-files.ts'

it('reads an uploaded document, and takes corrections to what it says', async () => {
  const { ask, upload, settled } = await openContracts()
  const made = await upload(await bytesOf('pdf', sampleWords))
  expect(made.statusCode).toBe(202)
  const { id }: Contract = made.json()
  const contract = await settled(id)
  expect(contract).toMatchObject({ name: 'Aetna 2024', status: 'ready', pages: 1, revision: 0, error: null })

  const found = (await ask('GET', `/${id}/entities`)).json()
  expect(found.resolvedEntities.parties.payers).toMatchObject([
    { name: 'Aetna Health Inc.', payerpricePayer: 'Aetna' },
  ])
  expect(found.resolvedEntities.pricingTerms).toMatchObject([
    { termType: 'percent_of_medicare', percent: 125 },
  ])
  const { pages } = (await ask('GET', `/${id}/text`)).json()
  for (const { page, start, end, text } of found.evidence)
    expect(pages[page - 1].text.slice(start, end)).toBe(text)

  const operations = [{ operation: 'set', entityId: 'provider-1', fieldPath: 'name', value: 'Cedar Valley' }]
  const edit = { requestId: 'one', baseRevision: 0, operations }
  const first = await ask('POST', `/${id}/edits`, edit)
  expect(first.statusCode).toBe(200)
  expect(first.json()).toMatchObject({ id, revision: 1 })
  expect((await ask('POST', `/${id}/edits`, edit)).json()).toEqual(first.json())

  const back = await ask('POST', `/${id}/revert`, { requestId: 'three', baseRevision: 1, revision: 0 })
  expect(back.json()).toEqual({ id, revision: 2, resolvedEntities: found.resolvedEntities })
  const { revisions } = (await ask('GET', `/${id}/revisions`)).json()
  expect(revisions).toMatchObject([
    { revision: 2, kind: 'revert', revertedTo: 0, by: 'A key' },
    { revision: 1, kind: 'edit', operations },
    { revision: 0, kind: 'extraction', by: null },
  ])
  expect((await ask('GET', `/${id}/revisions/1`)).json().resolvedEntities.parties.providers[0].name).toBe(
    'Cedar Valley',
  )

  const document = await ask('GET', `/${id}/document`)
  expect(document.headers).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringMatching(/^attachment/),
  })
  expect(document.headers['content-security-policy']).toContain('sandbox')

  expect((await ask('GET', '')).json().contracts).toMatchObject([{ id, revision: 2 }])
}, 120_000)
