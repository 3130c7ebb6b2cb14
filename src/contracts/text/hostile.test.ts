import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../../test/support/contract-files.ts'
import { deepDocx, deepHtml, entityBomb, lockedPdf, pdfOfPages } from '../../../test/support/hostile-files.ts'
import { documentText } from './document-text.ts'
import { UnreadableDocument } from './text-limits.ts'

const outcome = async (bytes: Uint8Array) => {
  try {
    return (await documentText(bytes)).pages
  } catch (error) {
    if (error instanceof UnreadableDocument) return error.message
    throw error
  }
}

describe('files that were made to break their reader', () => {
  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['deep Word elements', deepDocx, 'nests more than 5000 elements'],
    ['deep HTML', deepHtml, 'nests more than 5000 elements'],
    ['10,000 pages of PDF', () => pdfOfPages(10_000), 'has 10000 pages; at most 2000 are read'],
    ['10,000 pages of text', () => Buffer.from('word\f'.repeat(10_000)), 'more than 2000 pages'],
    ['too many characters', () => Buffer.alloc(5_000_001, 'a'), 'more than 5000000 characters'],
    [
      'too many characters of HTML',
      () => Buffer.from(`<html>${`<p>${'words '.repeat(200)}</p>`.repeat(5_000)}`),
      'more than 5000000 characters',
    ],
    ['a locked PDF', () => lockedPdf('Secret words'), 'needs a password. Upload a version without one.'],
    ['half a PDF', () => pdfOfPages(3).subarray(0, 200), 'damaged'],
    [
      'half a Word document',
      async () => {
        const bytes = await bytesOf('docx', ['Words'])
        return bytes.subarray(0, bytes.length - 30)
      },
      'damaged',
    ],
  ])('refuses %s with a sentence', async (_, make, says) => {
    expect(await outcome(await make())).toContain(says)
  })

  it('follows no entity that a document defines', async () => {
    const [page] = (await outcome(entityBomb())) as string[]
    expect(page).toMatch(/^Before .*after the entities of the agreement$/)
    expect(page!.length).toBeLessThan(200)
    expect(page).not.toMatch(/lollol|root:/)
  })

  it('takes a time that grows with the length, not with its square', { timeout: 60_000 }, async () => {
    const cells = '<tr><td>Ninety words</td><td> 90 </td></tr>'
    const timed = async (rows: number) => {
      const started = process.cpuUsage()
      expect(await outcome(Buffer.from(`<html><table>${cells.repeat(rows)}</table>`))).toHaveLength(1)
      const { user, system } = process.cpuUsage(started)
      return user + system
    }
    await timed(5_000)
    const [short, long] = [await timed(10_000), await timed(80_000)]
    expect(long / short).toBeLessThan(32)
  })

  it('reads a page that says it has scripts as if it had none', async () => {
    const html =
      '<html><body onload="alert(1)"><script>alert("x")</script><p>Terms</p><svg><script>alert(2)</script></svg></body></html>'
    expect(await outcome(Buffer.from(html))).toEqual(['Terms'])
  })
})
