import { Readable } from 'node:stream'
import yazl from 'yazl'

/** What a sheet holds at most, its heading among them: Excel's own limit. */
export const sheetRowsMost = 1_048_576
const cellLengthMost = 32_767

export type CellValue = string | number | null

/** Rows column by column, as the engine gives them. */
export type CellChunks = AsyncIterable<readonly (readonly CellValue[])[]>

/**
 * An Excel workbook, written while it is sent: a heading in every sheet, as many sheets as the rows need.
 * The zip library packs it; what a sheet is made of is few words of XML.
 */
export function workbook(
  headings: readonly string[],
  chunks: CellChunks,
  rows: number,
  sheetRows = sheetRowsMost,
): Readable {
  const zip = new yazl.ZipFile()
  const perSheet = sheetRows - 1
  const sheets = Math.max(1, Math.ceil(rows / perSheet))
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name)
  add('[Content_Types].xml', contentTypes(numbers))
  add('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]))
  add('xl/workbook.xml', workbookPart(numbers))
  add(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...numbers.map((number) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
  )
  add('xl/styles.xml', styles)
  const lines = rowTexts(chunks)[Symbol.asyncIterator]()
  for (const number of numbers)
    zip.addReadStreamLazy(`xl/worksheets/sheet${number}.xml`, {}, (take) =>
      take(null, Readable.from(sheetText(headings, lines, perSheet), { objectMode: false })),
    )
  zip.end()
  zip.on('error', (error: Error) => (zip.outputStream as Readable).destroy(error))
  return zip.outputStream as Readable
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const parts = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = (numbers: readonly number[]) =>
  `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${parts}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${parts}.styles+xml"/>${numbers
    .map(
      (number) =>
        `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${parts}.worksheet+xml"/>`,
    )
    .join('')}</Types>`

const relations = (to: readonly (readonly [kind: string, target: string])[]) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${to
    .map(
      ([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const workbookPart = (numbers: readonly number[]) =>
  `${declaration}<workbook xmlns="${spreadsheet}" xmlns:r="${office}"><sheets>${numbers
    .map((number) => `<sheet name="Rows ${number}" sheetId="${number}" r:id="rId${number}"/>`)
    .join('')}</sheets></workbook>`

// Style 1 is a bold heading.
const styles = `${declaration}<styleSheet xmlns="${spreadsheet}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`

async function* sheetText(
  headings: readonly string[],
  lines: AsyncIterator<string>,
  rows: number,
): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row>${headings.map((heading) => textCell(heading, ' s="1"')).join('')}</row>`
  let piece = ''
  for (let row = 0; row < rows; row++) {
    const { done, value } = await lines.next()
    if (done) break
    piece += value
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield `${piece}</sheetData></worksheet>`
}

const pieceLength = 64 * 1_024

async function* rowTexts(chunks: CellChunks): AsyncGenerator<string> {
  for await (const columns of chunks)
    for (let row = 0; row < (columns[0]?.length ?? 0); row++)
      yield `<row>${columns.map((column) => cell(column[row] ?? null)).join('')}</row>`
}

function cell(value: CellValue): string {
  if (value === null) return '<c/>'
  return typeof value === 'number' ? `<c><v>${value}</v></c>` : textCell(value)
}

const textCell = (text: string, style = '') =>
  `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
// XML 1.0 has no place for most control characters.
const escaped = (text: string) =>
  text
    .slice(0, cellLengthMost)
    .replaceAll(/[&<>]/g, (character) => entities[character]!)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
