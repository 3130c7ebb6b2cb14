/** Scores the extractor on contracts of one's own: documents of a folder, each with NAME.labels.json beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { readSettings } from '../src/config.ts'
import type { Extractor } from '../src/contracts/extractor.ts'
import { ContractLabels } from '../src/contracts/extract/labels.ts'
import { type Score, scores, type Total, totals } from '../src/contracts/extract/scores.ts'
import { readDocument } from '../src/contracts/read-document.ts'
import { extractorOf } from '../src/service.ts'

export interface FolderScores {
  readonly documents: readonly { readonly name: string; readonly scores: readonly Score[] }[]
  /** What could not be scored, and why. */
  readonly problems: readonly string[]
}

export async function folderScores(folder: string, extractor: Extractor): Promise<FolderScores> {
  const documents: { name: string; scores: Score[] }[] = []
  const problems: string[] = []
  for (const file of readdirSync(folder).sort()) {
    const labelFile = join(folder, `${parse(file).name}.labels.json`)
    if (file.endsWith('.labels.json') || !existsSync(labelFile)) continue
    try {
      const labels = ContractLabels.parse(JSON.parse(readFileSync(labelFile, 'utf8')))
      const document = await readDocument(resolve(folder, file))
      if (!document.extraction) problems.push(`${file}: it has no text`)
      else {
        const { entities } = await extractor.extract(document, new AbortController().signal)
        documents.push({ name: file, scores: scores(labels, entities) })
      }
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message}`)
    }
  }
  return { documents, problems }
}

const ratio = (value: number | null) => (value === null ? '   –' : value.toFixed(2)).padStart(10)
const line = ({ kind, labelled, found, right, precision, recall }: Total) =>
  `${kind.padEnd(24)}${[labelled, found, right].map((count) => String(count).padStart(9)).join('')}${ratio(precision)}${ratio(recall)}`

/** What was scored, for people: the sums, then each document's misses. */
export function scoreReport({ documents, problems }: FolderScores): string {
  const all = documents.flatMap(({ scores }) => scores)
  const misses = documents.flatMap(({ name, scores }) => {
    const lines = scores.flatMap(({ kind, missed, wrong }) => [
      ...missed.map(({ key, text = '' }) => `  missed  ${kind}: ${key} ${text}`.trimEnd().slice(0, 160)),
      ...wrong.map(({ key, text = '' }) => `  wrong   ${kind}: ${key} ${text}`.trimEnd().slice(0, 160)),
    ])
    return lines.length === 0 ? [] : ['', name, ...lines]
  })
  return [
    `${'kind'.padEnd(24)} labelled    found    right precision    recall`,
    ...totals(all).map(line),
    ...misses,
    ...(problems.length === 0 ? [] : ['', 'not scored', ...problems.map((problem) => `  ${problem}`)]),
  ].join('\n')
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined || !existsSync(folder)) {
    console.error('Usage: node scripts/contract-scores.ts FOLDER')
    process.exitCode = 2
  } else {
    const scored = await folderScores(folder, extractorOf(readSettings(process.env), console.error))
    console.log(scoreReport(scored))
    if (scored.documents.length === 0) process.exitCode = 1
  }
}
