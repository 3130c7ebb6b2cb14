import { extractByRules } from '../../src/contracts/extract/rules.ts'
import { documentText } from '../../src/contracts/text/document-text.ts'
import { UnreadableDocument } from '../../src/contracts/text/text-limits.ts'
import { Random } from '../../src/demo/random.ts'
import { bytesOf } from './contract-files.ts'
import { docxOfXml, pdfOfPages } from './hostile-files.ts'
import { spoiled } from './spoiled-bytes.ts'

/** Reads spoiled documents one after the other and prints a line for each: what came of it, and how long it took. */
const [seed = '', rounds = '0'] = process.argv.slice(2)
const words = [
  'PROVIDER AGREEMENT',
  'This Agreement is made between Aetna Health Inc. ("Plan") and Cedar Valley Clinic, P.A. ("Provider"), effective January 1, 2024.',
  [
    ['Service', 'Rate'],
    ['Medical', '$1,450'],
  ],
  '\f',
  '5.1 Either party may terminate this Agreement on ninety (90) days written notice. Provider NPI: 1234567893.',
]
const xml =
  '<w:document><w:body><w:p><w:r><w:t>Either party &amp; the other</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>Medical</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>'
const good: [name: string, bytes: Buffer, wrap?: (bytes: Buffer) => Buffer][] = [
  ['txt', await bytesOf('txt', words)],
  ['html', await bytesOf('html', words)],
  ['docx', await bytesOf('docx', words)],
  // Inside the archive, where its checksum does not guard it.
  ['xml', Buffer.from(xml), docxOfXml],
  ['pdf', await bytesOf('pdf', words)],
  ['plain pdf', pdfOfPages(3)],
]
// As the reader of documents does.
process.on('unhandledRejection', () => {})
const random = new Random(seed)
for (let round = 0; round < Number(rounds); round++) {
  const [name, bytes, wrap = (same: Buffer) => same] = good[round % good.length]!
  const file = wrap(spoiled(bytes, (below) => random.below(below), 256))
  const started = performance.now()
  const came = await documentText(file).then(
    ({ pages }) => {
      extractByRules(pages)
      return 'read'
    },
    (error: Error) => (error instanceof UnreadableDocument ? 'refused' : `crashed: ${error.stack}`),
  )
  const ms = performance.now() - started
  process.stdout.write(`${JSON.stringify({ round, name, came, ms, rss: process.memoryUsage.rss() })}\n`)
}
