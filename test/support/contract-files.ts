import PdfDocument from 'pdfkit'
import { zipOf } from './zip.ts'

/** A paragraph, `\f` for a new page, or the rows of a table. */
export type Block = string | readonly (readonly string[])[]
export type Format = 'txt' | 'html' | 'docx' | 'pdf'

/** A contract's blocks as a file of a format, made by the programs' own rules: fonts, runs, tables and columns. */
export async function bytesOf(
  format: Format,
  blocks: readonly Block[],
  { columns = 1 }: { columns?: number } = {},
): Promise<Buffer> {
  if (format === 'txt')
    return Buffer.from(
      blocks
        .map(plain)
        .join('\n\n')
        .replaceAll(/\n*\f\n*/g, '\f'),
    )
  if (format === 'html') return Buffer.from(htmlOf(blocks))
  if (format === 'docx') return docxOf(blocks)
  return pdfOf(blocks, columns)
}

const plain = (block: Block) =>
  typeof block === 'string' ? wrapped(block) : block.map((row) => row.join('\t')).join('\n')

/** Lines of at most 90 characters, as a person's editor breaks them. */
const wrapped = (text: string) =>
  text === '\f' ? text : text.replaceAll(/(.{1,90})(?: +|$)/gm, '$1\n').trimEnd()

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function htmlOf(blocks: readonly Block[]): string {
  const body = blocks.map((block) => {
    if (block === '\f') return '<div style="page-break-before: always"></div>'
    if (typeof block === 'string') return `<p>${escaped(block).replaceAll('\n', '<br>')}</p>`
    const rows = block.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
    return `<table>${rows.join('')}</table>`
  })
  return `<!DOCTYPE html><html><head><title>Contract</title><style>p { margin: 0 }</style></head><body>${body.join('\n')}</body></html>`
}

/** Word cuts text into runs wherever spelling or formatting changed; here every seventh character. */
const runs = (text: string) =>
  (text.match(/[\s\S]{1,7}/g) ?? [])
    .map((part) =>
      `<w:r><w:t xml:space="preserve">${escaped(part)}</w:t></w:r>`.replaceAll(
        '\n',
        '</w:t><w:br/><w:t xml:space="preserve">',
      ),
    )
    .join('')

function docxOf(blocks: readonly Block[]): Buffer {
  const body = blocks.map((block) => {
    if (block === '\f') return '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    if (typeof block === 'string') return `<w:p>${runs(block)}</w:p>`
    const cell = (text: string) => `<w:tc><w:p>${runs(text)}</w:p></w:tc>`
    return `<w:tbl>${block.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
  })
  const xml = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`
  return zipOf([
    { name: '[Content_Types].xml', bytes: Buffer.from('<Types/>') },
    { name: 'word/document.xml', bytes: Buffer.from(xml) },
  ])
}

function pdfOf(blocks: readonly Block[], columns: number): Promise<Buffer> {
  const document = new PdfDocument({ margin: 54, size: 'LETTER' })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(pieces))))
  const width = 504
  const [title, ...rest] = blocks
  const body = columns > 1 ? rest : blocks
  document.font('Times-Roman').fontSize(10)
  if (columns > 1 && typeof title === 'string') document.text(title, { width, align: 'center' }).moveDown(1)
  if (columns > 1) {
    const text = body.map(spaced).join('\n\n')
    const half = document.heightOfString(text, { width: (width - 24) / 2 }) / 2
    document.text(text, { width, columns, columnGap: 24, height: Math.min(620, half + 40) })
  } else
    for (const block of body) {
      if (block === '\f') document.addPage()
      else if (typeof block === 'string') document.text(block, { width }).moveDown(1)
      else tableOf(document, block, width)
    }
  document.end()
  return done
}

const spaced = (block: Block) =>
  typeof block === 'string' ? block : block.map((row) => row.join('   ')).join('\n')

function tableOf(document: PDFKit.PDFDocument, rows: readonly (readonly string[])[], width: number): void {
  for (const row of rows) {
    const cell = width / row.length
    const height = Math.max(...row.map((text) => document.heightOfString(text, { width: cell - 8 })))
    if (document.y + height > 730) document.addPage()
    const { y } = document
    for (const [at, text] of row.entries()) document.text(text, 54 + at * cell, y, { width: cell - 8 })
    document.x = 54
    document.y = y + height + 4
  }
  document.moveDown(1)
}
