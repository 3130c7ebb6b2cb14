import { Parser } from 'htmlparser2'
import { PageWriter } from './page-writer.ts'
import { decoded } from './plain-text.ts'
import { type TextLimits, UnreadableDocument } from './text-limits.ts'

const unseen = new Set([
  'script',
  'style',
  'head',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'textarea',
])
const blocks = new Set(
  'address article aside blockquote caption center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead ul body'.split(
    ' ',
  ),
)

// The parser's work for one tag grows with the number of tags that are open.
const pieceCharacters = 65_536

/** The text that a reader of an HTML page sees; scripts are neither run nor read. A page break in its style begins a new page. */
export async function htmlText(bytes: Uint8Array, limits: TextLimits): Promise<string[]> {
  const writer = new PageWriter(limits)
  let hidden = 0
  let depth = 0
  const end = (gap: string) => {
    writer.trimEnd('blanks')
    if (!writer.isEmpty && !writer.endsWith(gap)) writer.write(writer.endsWith('\n') ? gap.slice(1) : gap)
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > limits.depthMost)
          throw new UnreadableDocument(`The page nests more than ${limits.depthMost} elements.`)
        if (unseen.has(name)) hidden++
        if (/page-break-(before|after)\s*:\s*always|break-before\s*:\s*page/i.test(attributes['style'] ?? ''))
          writer.turn()
        if (name === 'br') writer.write('\n')
        else if (name === 'tr') end('\n')
        else if (blocks.has(name)) end('\n\n')
      },
      onclosetag(name) {
        depth--
        if (unseen.has(name)) hidden = Math.max(0, hidden - 1)
        if (name === 'td' || name === 'th') {
          writer.trimEnd()
          writer.write('\t')
        } else if (name === 'tr') end('\n')
        else if (blocks.has(name)) end('\n\n')
      },
      ontext(data) {
        if (hidden > 0) return
        const flowed = data.replaceAll(/\s+/g, ' ')
        writer.write(writer.endsInWhite ? flowed.trimStart() : flowed)
      },
    },
    { decodeEntities: true },
  )
  const html = decoded(bytes)
  for (let at = 0; at < html.length; at += pieceCharacters) parser.write(html.slice(at, at + pieceCharacters))
  parser.end()
  return writer.pages().map((page) => page.trim())
}
