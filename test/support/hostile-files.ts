import PdfDocument from 'pdfkit'
import { zipOf } from './zip.ts'

/** A PDF of many pages, written by hand: the same font and the same words on each, or no words at all. */
export function pdfOfPages(count: number, words = 'Some words of the agreement'): Buffer {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, at) => `${at + 5} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    streamOf(words === '' ? '0 0 100 100 re f' : `BT /F1 12 Tf 72 700 Td (${words}) Tj ET`),
    ...Array.from(
      { length: count },
      () =>
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    ),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

const streamOf = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`

/** A PDF that opens with a password only. */
export function lockedPdf(words: string): Promise<Buffer> {
  const document = new PdfDocument({ userPassword: 'secret', ownerPassword: 'more secret' })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(pieces))))
  document.text(words).end()
  return done
}

/** A Word document with this as its main part. */
export const docxOfXml = (xml: string | Buffer) =>
  zipOf([
    { name: '[Content_Types].xml', bytes: Buffer.from('<Types/>') },
    { name: 'word/document.xml', bytes: Buffer.from(xml) },
  ])

const body = (inner: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${inner}</w:body></w:document>`
const paragraph = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`

/** A small file that unpacks to 120 MB. */
export const zipBomb = () => docxOfXml(Buffer.alloc(120_000_000, ' '))

/** Entities that name each other, each ten times: ten to the ninth words if somebody followed them. */
export function entityBomb(): Buffer {
  const names = Array.from({ length: 9 }, (_, at) => `l${at + 1}`)
  const entities = names.map(
    (name, at) => `<!ENTITY ${name} "${at === 0 ? 'lol'.repeat(10) : `&l${at};`.repeat(10)}">`,
  )
  return docxOfXml(
    `<?xml version="1.0"?><!DOCTYPE w:document [${entities.join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>${body(
      paragraph('Before &l9; and &file; after the entities of the agreement'),
    )}`,
  )
}

export const deepDocx = () => docxOfXml(body(`${'<w:sdt>'.repeat(200_000)}${paragraph('Deep')}`))
export const deepHtml = () => Buffer.from(`<html><body>${'<div>'.repeat(1_000_000)}Deep`)
