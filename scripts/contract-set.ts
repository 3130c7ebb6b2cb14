/** Measures the extraction rules on the labelled set, and prints what was measured: measured-rules.ts, and the scores in docs/contracts.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clauseTotals, type Total, totals } from '../src/contracts/extract/scores.ts'
import { clauseCategories } from '../src/operations/contract-entities.ts'
import { type ScoredContract, scoredSet } from '../test/contracts/scored-set.ts'

const root = join(import.meta.dirname, '..')

export interface MeasuredSet {
  readonly tuning: readonly ScoredContract[]
  readonly heldOut: readonly ScoredContract[]
}

export const measuredSet = async (): Promise<MeasuredSet> => ({
  tuning: await scoredSet('tuning'),
  heldOut: await scoredSet('held-out'),
})

/** How often each rule was right on the whole set: right, found. */
export function measuredRules({ tuning, heldOut }: MeasuredSet): Record<string, [number, number]> {
  const counts: Record<string, [number, number]> = {}
  for (const { extraction, scores } of [...tuning, ...heldOut])
    for (const { kind, rightSources, wrong } of scores) {
      if (kind === 'payerpricePayer') continue
      const count = (source: string | undefined, right: number) => {
        const pair = (counts[extraction.rules![source!]!] ??= [0, 0])
        pair[0] += right
        pair[1] += 1
      }
      for (const source of rightSources) count(source, 1)
      for (const { source } of wrong) count(source, 0)
    }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const ratio = (value: number | null) => (value === null ? '–' : value.toFixed(2))

/** The scores of both parts side by side, as a table. */
export function scoreTable({ tuning, heldOut }: MeasuredSet): string {
  const all = (set: readonly ScoredContract[]) => set.flatMap(({ scores }) => scores)
  const row = (name: string, one: Total, other: Total) =>
    `| ${name} | ${one.labelled} | ${ratio(one.precision)} | ${ratio(one.recall)} | ${other.labelled} | ${ratio(other.precision)} | ${ratio(other.recall)} |`
  const others = totals(all(heldOut))
  const otherClauses = clauseTotals(all(heldOut), clauseCategories)
  return [
    `| kind | labelled (tuning, ${tuning.length} contracts) | precision | recall | labelled (held out, ${heldOut.length} contracts) | precision | recall |`,
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...totals(all(tuning)).map((one, at) => row(`\`${one.kind}\``, one, others[at]!)),
    ...clauseTotals(all(tuning), clauseCategories).map((one, at) =>
      row(`clauses: \`${one.kind}\``, one, otherClauses[at]!),
    ),
  ].join('\n')
}

const scoreMarks = /(<!-- scores: [^\n]*-->\n)[\s\S]*?(\n<!-- end of scores -->)/

/** The files that hold what was measured, as they should be. */
export function printedMeasures(set: MeasuredSet): Record<string, string> {
  const rules = Object.entries(measuredRules(set)).map(
    ([rule, [right, found]]) => `  '${rule}': [${right}, ${found}],\n`,
  )
  const docs = readFileSync(join(root, 'docs', 'contracts.md'), 'utf8')
  if (!scoreMarks.test(docs)) throw new Error('docs/contracts.md has no place for the scores')
  return {
    'src/contracts/extract/measured-rules.ts': `/** How many things each rule found in the labelled set, and how many of them were right. Printed by scripts/contract-set.ts. */
export const measuredRules: Readonly<Record<string, readonly [right: number, found: number]>> = {
${rules.join('')}}
`,
    'docs/contracts.md': docs.replace(
      scoreMarks,
      (_, open: string, close: string) => `${open}\n${scoreTable(set)}\n${close}`,
    ),
  }
}

if (import.meta.main)
  for (const [path, text] of Object.entries(printedMeasures(await measuredSet()))) {
    writeFileSync(join(root, path), text)
    console.log(`printed ${path} (${Buffer.byteLength(text)} bytes)`)
  }
