import type { Readable } from 'node:stream'
import { Parser } from 'htmlparser2'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { PageWriter } from './page-writer.ts'
import { type TextLimits, UnreadableDocument } from './text-limits.ts'

const mainPart = 'word/document.xml'

/** The text of a Word document: its paragraphs and tables in order, with the page breaks that Word last drew. */
export async function docxText(bytes: Uint8Array, limits: TextLimits): Promise<string[]> {
  const writer = new PageWriter(limits)
  let inText = false
  let deleted = 0
  let cells = 0
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > limits.depthMost)
          throw new UnreadableDocument(`The Word document nests more than ${limits.depthMost} elements.`)
        if (name === 'w:t') inText = true
        // What a reviewer struck out is no longer part of the contract.
        else if (name === 'w:del' || name === 'w:moveFrom') deleted++
        else if (name === 'w:tab') writer.write('\t')
        else if (name === 'w:br' && attributes['w:type'] === 'page') writer.turn()
        else if (name === 'w:br' || name === 'w:cr') writer.write('\n')
        else if (name === 'w:lastRenderedPageBreak' && !writer.isBlank) writer.turn()
        else if (name === 'w:noBreakHyphen') writer.write('-')
        else if (name === 'w:tc') cells++
      },
      onclosetag(name) {
        depth--
        if (name === 'w:t') inText = false
        else if (name === 'w:del' || name === 'w:moveFrom') deleted--
        else if (name === 'w:p') writer.write(cells > 0 ? ' ' : '\n\n')
        else if (name === 'w:tc') {
          cells--
          writer.trimEnd()
          writer.write('\t')
        } else if (name === 'w:tr') {
          writer.trimEnd()
          writer.write('\n')
        } else if (name === 'w:tbl') writer.write('\n')
      },
      ontext(data) {
        if (inText && deleted === 0) writer.write(data)
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
  }
  parser.end()
  return writer.pages()
}

/** The bytes of one part of the archive, as they unpack. */
async function* partOf(bytes: Uint8Array, name: string): AsyncGenerator<Uint8Array, void> {
  let stream: Readable | undefined
  try {
    const zip = await new Promise<ZipFile>((resolve, reject) =>
      fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      ),
    )
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      zip.on('entry', (found: Entry) => (found.fileName === name ? resolve(found) : zip.readEntry()))
      zip.on('end', () => resolve(undefined))
      zip.on('error', reject)
      zip.readEntry()
    })
    if (!entry) throw new UnreadableDocument('The Word document has no text part.')
    if (entry.isEncrypted())
      throw new UnreadableDocument('The Word document is encrypted. Upload a version without a password.')
    stream = await new Promise<Readable>((resolve, reject) =>
      zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    )
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(
      'The Word document is damaged. Open it in Word, save it again and upload that.',
      { cause: error },
    )
  } finally {
    stream?.destroy()
  }
}
