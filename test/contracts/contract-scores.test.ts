import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderScores, scoreReport } from '../../scripts/contract-scores.ts'
import { ruleExtractor } from '../../src/contracts/extractor.ts'
import { scores, totals } from '../../src/contracts/extract/scores.ts'
import { noEntities } from '../../src/operations/contract-entities.ts'
import { annotatedContracts } from './annotated-contract.ts'
import { contractDocument } from './contract-document.ts'

it('scores documents of a folder against the labels beside them, and tells what was missed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-scores-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [contract] = annotatedContracts('tuning')
  const { labels } = contract!
  writeFileSync(join(folder, 'one.docx'), await contractDocument(contract!))
  writeFileSync(
    join(folder, 'one.labels.json'),
    JSON.stringify({ ...labels, npis: ['1234567893'], tins: undefined }),
  )
  writeFileSync(join(folder, 'two.txt'), 'A text with labels that nobody can read.')
  writeFileSync(join(folder, 'two.labels.json'), '{ "payer": [] }')
  writeFileSync(join(folder, 'unlabelled.txt'), 'A text without labels.')
  const scored = await folderScores(folder, ruleExtractor)
  expect(scored.documents.map(({ name }) => name)).toEqual(['one.docx'])
  expect(scored.problems).toEqual([expect.stringMatching(/^two\.txt: /)])
  const report = scoreReport(scored)
  expect(report).toMatch(/^payers +1 +1 +1 +1\.00 +1\.00$/m)
  expect(report).toMatch(/^npis +1 +0 +0 +– +0\.00$/m)
  expect(report).toContain('missed  npis: 1234567893')
  expect(report).not.toMatch(/^tins/m)
})

it('counts what is right, wrong and missed, each once', () => {
  const entities = noEntities()
  entities.providerContext.npis = ['1234567893', '1081234571'].map((value, at) => ({
    id: `npi-${at}`,
    value,
    normalizedValue: value,
  }))
  const text = 'Either party may terminate this Agreement on ninety (90) days notice.'
  entities.contractTerms.clauses = [
    { id: 'a', category: 'termination', clauseType: 'x', value: text.replaceAll(' ', '\n'), evidenceIds: [] },
    { id: 'b', category: 'termination', clauseType: 'x', value: text, evidenceIds: [] },
    { id: 'c', category: 'renewal', clauseType: 'x', value: text, evidenceIds: [] },
  ]
  const all = scores(
    {
      npis: ['1234567893', '1276320995'],
      clauses: [{ category: 'termination', text }],
      signedDate: '2024-01-01',
    },
    entities,
  )
  expect(totals(all)).toEqual([
    { kind: 'npis', labelled: 2, found: 2, right: 1, precision: 0.5, recall: 0.5 },
    { kind: 'signedDate', labelled: 1, found: 0, right: 0, precision: null, recall: 0 },
    { kind: 'clauses', labelled: 1, found: 3, right: 1, precision: 1 / 3, recall: 1 },
  ])
})
