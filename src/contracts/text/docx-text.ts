import type { Readable } from 'node:stream'
import { Parser } from 'htmlparser2'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { measure, type TextLimits, UnreadableDocument } from './text-limits.ts'

const mainPart = 'word/document.xml'

/** The text of a Word document: its paragraphs and tables in order, with the page breaks that Word last drew. */
export async function docxText(bytes: Uint8Array, limits: TextLimits): Promise<string[]> {
  const pages: string[] = []
  let text = ''
  let inText = false
  let deleted = 0
  let cells = 0
  const turn = () => {
    pages.push(text.trimEnd())
    text = ''
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'w:t') inText = true
        // What a reviewer struck out is no longer part of the contract.
        else if (name === 'w:del' || name === 'w:moveFrom') deleted++
        else if (name === 'w:tab') text += '\t'
        else if (name === 'w:br' && attributes['w:type'] === 'page') turn()
        else if (name === 'w:br' || name === 'w:cr') text += '\n'
        else if (name === 'w:lastRenderedPageBreak' && text.trim() !== '') turn()
        else if (name === 'w:noBreakHyphen') text += '-'
        else if (name === 'w:tc') cells++
      },
      onclosetag(name) {
        if (name === 'w:t') inText = false
        else if (name === 'w:del' || name === 'w:moveFrom') deleted--
        else if (name === 'w:p') text += cells > 0 ? ' ' : '\n\n'
        else if (name === 'w:tc') {
          cells--
          text = `${text.trimEnd()}\t`
        } else if (name === 'w:tr') text = `${text.trimEnd()}\n`
        else if (name === 'w:tbl') text += '\n'
      },
      ontext(data) {
        if (inText && deleted === 0) text += data
      },
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  let unpacked = 0
  for await (const piece of partOf(bytes, mainPart)) {
    unpacked += piece.length
    if (unpacked > limits.unpackedBytesMost)
      throw new UnreadableDocument('The Word document unpacks to more than we read.')
    parser.write(decoder.decode(piece, { stream: true }))
    measure([...pages, text], limits)
  }
  parser.end()
  turn()
  measure(pages, limits)
  return pages
}

/** The bytes of one part of the archive, as they unpack. */
async function* partOf(bytes: Uint8Array, name: string): AsyncGenerator<Uint8Array, void> {
  let zip: ZipFile
  try {
    zip = await new Promise<ZipFile>((resolve, reject) =>
      fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      ),
    )
  } catch (error) {
    throw new UnreadableDocument('The Word document is damaged.', { cause: error })
  }
  const entry = await new Promise<Entry | undefined>((resolve, reject) => {
    zip.on('entry', (found: Entry) => (found.fileName === name ? resolve(found) : zip.readEntry()))
    zip.on('end', () => resolve(undefined))
    zip.on('error', () => reject(new UnreadableDocument('The Word document is damaged.')))
    zip.readEntry()
  })
  if (!entry) throw new UnreadableDocument('The Word document has no text part.')
  if (entry.isEncrypted()) throw new UnreadableDocument('The Word document is encrypted.')
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    throw new UnreadableDocument('The Word document is damaged.', { cause: error })
  } finally {
    stream.destroy()
  }
}
