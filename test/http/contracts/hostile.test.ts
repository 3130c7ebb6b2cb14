import { expect, it } from 'vitest'
import type { Contract } from '../../../src/operations/contracts.ts'
import { openContracts, sampleWords } from '../../support/contract-door.ts'
import { bytesOf } from '../../support/contract-files.ts'
import { pdfOfPages, zipBomb } from '../../support/hostile-files.ts'
import { zipOf } from '../../support/zip.ts'

const html = [
  '<html><head><script>document.title = 1</script></head>',
  '<body onload="alert(1)"><script>alert("from the script")</script>',
  '<p onclick="alert(2)">Either party may terminate this Agreement.</p>',
  '<iframe src="javascript:alert(3)"></iframe><svg><script>alert(4)</script></svg></body></html>',
].join('')

it('tells why a document could not be read and what to do, and goes on with the next', async () => {
  const { upload, settled, ask } = await openContracts()
  const refused: [name: string, bytes: Buffer, says: RegExp][] = [
    ['zip-bomb.docx', zipBomb(), /unpacks to more than we read/],
    ['scan.pdf', pdfOfPages(2, ''), /looks like a scan\. Run text recognition \(OCR\).* upload the result/],
  ]
  for (const [name, bytes, says] of refused) {
    const { id }: Contract = (await upload(bytes, name)).json()
    const { status, error } = await settled(id)
    expect([name, status, error]).toEqual([
      name,
      'failed',
      { code: 'extraction_unavailable', message: expect.stringMatching(says) },
    ])
    for (const path of ['text', 'entities']) {
      const answer = await ask('GET', `/${id}/${path}`)
      expect(answer.statusCode).toBe(503)
      expect(answer.json()).toMatchObject({ code: 'extraction_unavailable', detail: error!.message })
    }
  }
  const { id }: Contract = (await upload(Buffer.from(html), 'script.html')).json()
  expect(await settled(id)).toMatchObject({ status: 'ready', documentType: 'html' })
  const { pages } = (await ask('GET', `/${id}/text`)).json()
  expect(pages).toEqual([{ page: 1, text: 'Either party may terminate this Agreement.' }])
  // What was uploaded is never a page of ours, however it is asked for.
  const document = await ask('GET', `/${id}/document`)
  expect(document.body).toBe(html)
  expect(document.headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment; filename="script\.html"/),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
}, 120_000)

it('judges a file by what it holds and not by its name', async () => {
  const { upload } = await openContracts({ env: { RATEBOOK_JOBS: 'off' } })
  const typed = async (bytes: Buffer, name: string) => {
    const answer = await upload(bytes, name)
    return answer.statusCode === 202 ? (answer.json() as Contract).documentType : answer.statusCode
  }
  expect(await typed(await bytesOf('pdf', sampleWords), 'words.txt')).toBe('pdf')
  expect(await typed(await bytesOf('docx', sampleWords), 'page.html')).toBe('docx')
  expect(await typed(Buffer.from(html), 'contract.pdf')).toBe('html')
  expect(await typed(Buffer.from('Plain words'), 'contract.docx')).toBe('txt')
  const workbook = zipOf([{ name: 'xl/workbook.xml', bytes: Buffer.from('<workbook/>') }])
  expect(await typed(workbook, 'contract.docx')).toBe(415)
  expect(await typed(Buffer.from('MZ\x90\0\x03\0\0\0'), 'contract.pdf')).toBe(415)
  expect(await typed(Buffer.from('\x7fELF\x02\x01\x01\0'), 'contract.txt')).toBe(415)
})

it.each([
  ['time', { timeMs: 20, memoryBytes: 1_000_000_000 }, 'took longer than it may'],
  ['memory', { timeMs: 60_000, memoryBytes: 20_000_000 }, 'took more memory than it may'],
])('stops a reader at its limit of %s, and says so', async (_, readLimits, says) => {
  const logged: string[] = []
  const { ask, settled } = await openContracts({ readLimits, log: (text) => logged.push(text) })
  const text = sampleWords.join('\n\n')
  const { id }: Contract = (await ask('POST', '', { name: 'Stopped', text })).json()
  const { status, error } = await settled(id)
  expect([status, error]).toEqual([
    'failed',
    { code: 'extraction_unavailable', message: expect.stringContaining(says) },
  ])
  const operations = [{ operation: 'remove_entity', entityId: 'x', fieldPath: '' }]
  const edit = await ask('POST', `/${id}/edits`, { requestId: 'a', baseRevision: 0, operations })
  expect([edit.statusCode, edit.json()]).toEqual([
    503,
    { code: 'extraction_unavailable', message: error!.message },
  ])
  // It is the document's fault: nobody tries again, and no operator is woken.
  expect(logged).toEqual([])
})
