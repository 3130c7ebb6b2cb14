import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { zipEntries } from '../files/zip.ts'

// Shared texts are held in memory; a workbook of Excel's full million rows stays below this.
const sharedBytesMax = 200_000_000

/** Writes the first sheet of a workbook as comma-separated text: some official files come in no other form. */
export async function writeSheetAsText(workbook: string, to: string): Promise<void> {
  const shared = await sharedTexts(workbook)
  const file = createWriteStream(to)
  for await (const row of elements(partOf(workbook, 'xl/worksheets/sheet1.xml'), 'row')) {
    const cells: string[] = []
    for (const [, attributes = '', content = ''] of row.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const place = columnOf(/\br="([A-Z]+)\d+"/.exec(attributes)?.[1]) ?? cells.length
      while (cells.length < place) cells.push('')
      cells[place] = cellText(attributes, content, shared)
    }
    if (!file.write(`${cells.map(quoted).join(',')}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

function cellText(attributes: string, content: string, shared: readonly string[]): string {
  const value = /<v>(.*?)<\/v>/s.exec(content)?.[1] ?? ''
  const type = /\bt="(\w+)"/.exec(attributes)?.[1]
  if (type === 's') return shared[Number(value)] ?? ''
  return type === 'inlineStr' ? textsIn(content) : plain(value)
}

/** A is 0, Z is 25, AA is 26. */
function columnOf(letters: string | undefined): number | undefined {
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters.split('')) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const plain = (text: string) =>
  text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) =>
      hex !== undefined
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : decimal !== undefined
          ? String.fromCodePoint(Number(decimal))
          : (entities[name ?? ''] ?? whole),
  )

const textsIn = (xml: string) =>
  [...xml.matchAll(/<t\b[^>]*>(.*?)<\/t>/gs)].map(([, text = '']) => plain(text)).join('')

async function sharedTexts(workbook: string): Promise<string[]> {
  const texts: string[] = []
  let bytes = 0
  for await (const item of elements(partOf(workbook, 'xl/sharedStrings.xml', 'if any'), 'si')) {
    bytes += item.length
    if (bytes > sharedBytesMax) throw new Error('the workbook holds more text than can be read')
    texts.push(textsIn(item))
  }
  return texts
}

/** The elements of one name, as text, one at a time. They do not nest in workbooks. */
async function* elements(part: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const whole = new RegExp(`<${name}\\b[^>]*?(?:/>|>.*?</${name}>)`, 'gs')
  let rest = ''
  for await (const chunk of part) {
    rest += decoder.decode(chunk, { stream: true })
    let end = 0
    for (const found of rest.matchAll(whole)) {
      yield found[0]
      end = found.index + found[0].length
    }
    rest = rest.slice(end)
  }
}

/** The bytes of one part of a workbook. */
async function* partOf(workbook: string, name: string, wanted?: 'if any'): AsyncGenerator<Uint8Array> {
  for await (const entry of zipEntries(workbook)) {
    if (entry instanceof Error) throw entry
    if (entry.name === name) return yield* entry.bytes()
  }
  if (wanted === undefined) throw new Error(`the workbook has no part ${name}`)
}
