import { Parser } from 'htmlparser2'
import { measure, type TextLimits } from './text-limits.ts'
import { decoded } from './plain-text.ts'

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

/** The text that a reader of an HTML page sees; scripts are neither run nor read. A page break in its style begins a new page. */
export async function htmlText(bytes: Uint8Array, limits: TextLimits): Promise<string[]> {
  const pages: string[] = []
  let text = ''
  let hidden = 0
  const end = (gap: string) => {
    text = text.replace(/[ \t]+$/, '')
    if (text !== '' && !text.endsWith(gap)) text += text.endsWith('\n') ? gap.slice(1) : gap
  }
  // The parser goes forward only and keeps a stack of names, so depth costs little and never recursion.
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (unseen.has(name)) hidden++
        if (
          /page-break-(before|after)\s*:\s*always|break-before\s*:\s*page/i.test(attributes['style'] ?? '')
        ) {
          pages.push(text)
          text = ''
        }
        if (name === 'br') text += '\n'
        else if (name === 'tr') end('\n')
        else if (blocks.has(name)) end('\n\n')
      },
      onclosetag(name) {
        if (unseen.has(name)) hidden = Math.max(0, hidden - 1)
        if (name === 'td' || name === 'th') text = `${text.trimEnd()}\t`
        else if (name === 'tr') end('\n')
        else if (blocks.has(name)) end('\n\n')
      },
      ontext(data) {
        if (hidden > 0) return
        const flowed = data.replaceAll(/\s+/g, ' ')
        text += text === '' || /\s$/.test(text) ? flowed.trimStart() : flowed
      },
    },
    { decodeEntities: true },
  )
  parser.write(decoded(bytes))
  parser.end()
  pages.push(text)
  const filled = pages.map((page) => page.trim())
  measure(filled, limits)
  return filled
}
