import * as word from 'docx'
import PdfDocument from 'pdfkit'
import type { AnnotatedContract, Layout, Piece } from './annotated-contract.ts'

/** The contract as a file, made the way people make them: by a word processor, a printer driver, a web page, an editor. */
export async function contractDocument({ layout, pieces }: AnnotatedContract): Promise<Buffer> {
  if (layout.format === 'pdf') return pdfOf(layout, pieces)
  if (layout.format === 'docx') return docxOf(layout, pieces)
  return Buffer.from(layout.format === 'html' ? htmlOf(pieces) : textOf(layout, pieces))
}

const numbered = (text: string, page: number) => text.replace('{page}', String(page))

const textLinesInPage = 54

function textOf({ width, hyphenate, header, footer }: Layout, pieces: readonly Piece[]): string {
  const lines = pieces.flatMap((piece) => [
    ...(piece.is === 'table'
      ? piece.rows.map((row) => row.join('\t'))
      : piece.is === 'lines'
        ? piece.lines
        : wrapped(piece.text, width, hyphenate)),
    '',
  ])
  const pages: string[] = []
  for (let at = 0; at < lines.length; at += textLinesInPage) {
    const number = pages.length + 1
    pages.push(
      [
        ...(header === '' ? [] : [numbered(header, number), '']),
        ...lines.slice(at, at + textLinesInPage),
        ...(footer === '' ? [] : ['', numbered(footer, number)]),
      ].join('\n'),
    )
  }
  return header === '' && footer === '' ? lines.join('\n') : pages.join('\f')
}

/** A paragraph in lines; a long word may be broken where a line ends. */
function wrapped(text: string, width: number, hyphenate: boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const one of text.split(' ')) {
    const room = width - line.length - 2
    if (line !== '' && line.length + 1 + one.length > width) {
      if (hyphenate && room >= 4 && /^[a-z]{9,}[.,;]?$/.test(one)) {
        const cut = Math.min(room, one.length - 4)
        lines.push(`${line} ${one.slice(0, cut)}-`)
        line = one.slice(cut)
        continue
      }
      lines.push(line)
      line = one
    } else line += line === '' ? one : ` ${one}`
  }
  return [...lines, line]
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function htmlOf(pieces: readonly Piece[]): string {
  const body = pieces.map((piece) => {
    if (piece.is !== 'table' && piece.is !== 'lines')
      return piece.is === 'heading' ? `<h2>${escaped(piece.text)}</h2>` : `<p>${escaped(piece.text)}</p>`
    if (piece.is === 'lines') return `<div>${piece.lines.map(escaped).join('<br>\n')}</div>`
    const rows = piece.rows.map((row) => row.map((cell) => `<td>${escaped(cell)}</td>`).join(''))
    return `<table>\n<tr>${rows.join('</tr>\n<tr>')}</tr>\n</table>`
  })
  return `<!DOCTYPE html>\n<html><head><title>Agreement</title></head><body>\n${body.join('\n')}\n</body></html>\n`
}

async function docxOf({ header, footer }: Layout, pieces: readonly Piece[]): Promise<Buffer> {
  const paragraph = (text: string, heading = false) =>
    new word.Paragraph({
      ...(heading && { heading: word.HeadingLevel.HEADING_2 }),
      children: [new word.TextRun({ text, bold: heading })],
    })
  const children = pieces.flatMap((piece): (word.Paragraph | word.Table)[] => {
    if (piece.is === 'lines')
      return [
        new word.Paragraph({
          children: piece.lines.map((text, at) => new word.TextRun({ text, break: at === 0 ? 0 : 1 })),
        }),
      ]
    if (piece.is !== 'table') return [paragraph(piece.text, piece.is === 'heading')]
    const widest = Math.max(...piece.rows.map((row) => row.length))
    const cells = (row: readonly string[]) =>
      Array.from({ length: widest }, (_, at) => new word.TableCell({ children: [paragraph(row[at] ?? '')] }))
    return [new word.Table({ rows: piece.rows.map((row) => new word.TableRow({ children: cells(row) })) })]
  })
  const document = new word.Document({
    sections: [
      {
        ...(header !== '' && { headers: { default: new word.Header({ children: [paragraph(header)] }) } }),
        ...(footer !== '' && {
          footers: { default: new word.Footer({ children: [paragraph(numbered(footer, 1))] }) },
        }),
        children,
      },
    ],
  })
  return word.Packer.toBuffer(document)
}

function pdfOf(layout: Layout, pieces: readonly Piece[]): Promise<Buffer> {
  const width = 504
  const document = new PdfDocument({ margin: 54, size: 'LETTER', bufferPages: true })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(parts))))
  document.font('Times-Roman').fontSize(10)
  if (layout.columns > 1) {
    const [title, ...rest] = pieces
    document.text(title!.is === 'paragraph' ? title!.text : '', { width, align: 'center' }).moveDown(1)
    const text = rest
      .map((piece) =>
        piece.is === 'lines' ? piece.lines.join('\n') : piece.is === 'table' ? '' : piece.text,
      )
      .join('\n\n')
    const half = document.heightOfString(text, { width: (width - 24) / 2 }) / 2
    document.text(text, { width, columns: 2, columnGap: 24, height: Math.min(620, half + 30) })
  } else
    for (const piece of pieces) {
      if (piece.is === 'table') tableOf(document, piece.rows, width)
      else if (piece.is === 'lines')
        for (const line of piece.lines)
          document.text(line === '' ? ' ' : line.replaceAll('\t', '     '), { width })
      else document.font(piece.is === 'heading' ? 'Times-Bold' : 'Times-Roman').text(piece.text, { width })
      document.font('Times-Roman').moveDown(1)
    }
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page)
    // Text in the margin would otherwise begin a page of its own.
    document.page.margins = { top: 0, bottom: 0, left: 54, right: 54 }
    if (layout.header !== '') document.text(numbered(layout.header, page + 1), 54, 24, { lineBreak: false })
    if (layout.footer !== '') document.text(numbered(layout.footer, page + 1), 54, 756, { lineBreak: false })
  }
  document.end()
  return done
}

function tableOf(document: PDFKit.PDFDocument, rows: readonly (readonly string[])[], width: number): void {
  const cell = width / Math.max(...rows.map((row) => row.length))
  for (const row of rows) {
    const height = Math.max(...row.map((text) => document.heightOfString(text, { width: cell - 8 })))
    if (document.y + height > 720) document.addPage()
    const { y } = document
    for (const [at, text] of row.entries()) document.text(text, 54 + at * cell, y, { width: cell - 8 })
    document.x = 54
    document.y = y + height + 4
  }
}
