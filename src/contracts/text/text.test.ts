import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../../test/support/contract-files.ts'
import { documentText } from './document-text.ts'
import { documentType } from './document-type.ts'

const paragraphs = [
  'PROVIDER AGREEMENT',
  'This Agreement is made between Cedar Valley Clinic, P.A. and Northwind Health Plan, Inc. It is effective on January 1, 2024 and continues for three years unless it is terminated under Article 5 below.',
  '5.1 Either party may terminate this Agreement without cause on ninety (90) days written notice to the other party.',
]
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

describe('the text of a document', () => {
  it.each(['txt', 'html', 'docx', 'pdf'] as const)('is read from %s', async (format) => {
    const { type, pages } = await documentText(await bytesOf(format, [...paragraphs, '\f', 'Page two.']))
    expect(type).toBe(format)
    expect(pages.map(flat)).toEqual([paragraphs.join(' '), 'Page two.'])
  })

  it('reads two columns one after the other', async () => {
    const long = Array.from({ length: 60 }, (_, at) => `Word${at} of the running text`).join(' ')
    const { pages } = await documentText(
      await bytesOf('pdf', ['TITLE OF THE AGREEMENT', long], { columns: 2 }),
    )
    expect(flat(pages[0]!)).toBe(`TITLE OF THE AGREEMENT ${long}`)
  })

  it.each(['html', 'docx', 'pdf'] as const)('keeps the rows of a table together in %s', async (format) => {
    const table = [
      ['Service', 'Rate'],
      ['Medical', '$1,450'],
    ]
    const { pages } = await documentText(await bytesOf(format, ['Rates', table]))
    expect(pages[0]).toMatch(/Service\s*\tRate\s*\n+Medical\s*\t\$1,450/)
  })

  it('neither runs nor shows scripts', async () => {
    const { pages } = await documentText(
      Buffer.from(
        '<html><head><title>t</title></head><body><script>alert(1)</script><p>Terms</p></body></html>',
      ),
    )
    expect(pages).toEqual(['Terms'])
  })

  it('judges by content', () => {
    expect(documentType(Buffer.from('%PDF-1.7\n'))).toBe('pdf')
    expect(documentType(Buffer.from('PK\x03\x04 xl/workbook.xml'))).toBeUndefined()
    expect(documentType(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]))).toBeUndefined()
    expect(documentType(Buffer.from('Plain words – with a dash'))).toBe('txt')
    expect(documentType(Buffer.from(''))).toBeUndefined()
  })

  it('refuses what is damaged, with a sentence', async () => {
    await expect(documentText(Buffer.from('%PDF-1.7 nothing else'))).rejects.toThrow('damaged')
    await expect(documentText(Buffer.from('PK\x03\x04 word/document.xml'))).rejects.toThrow('damaged')
  })
})
