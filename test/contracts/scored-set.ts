import { extractByRules, type Extraction } from '../../src/contracts/extract/rules.ts'
import { type Score, scores } from '../../src/contracts/extract/scores.ts'
import { documentText } from '../../src/contracts/text/document-text.ts'
import { type AnnotatedContract, annotatedContracts } from './annotated-contract.ts'
import { contractDocument } from './contract-document.ts'

export interface ScoredContract {
  readonly contract: AnnotatedContract
  readonly pages: readonly string[]
  readonly extraction: Extraction
  readonly scores: readonly Score[]
}

/** Writes every contract of a part as a file, reads it as an upload is read, and scores what the rules find. */
export async function scoredSet(part: 'tuning' | 'held-out'): Promise<ScoredContract[]> {
  const scored: ScoredContract[] = []
  for (const contract of annotatedContracts(part)) {
    const { pages } = await documentText(await contractDocument(contract))
    const extraction = extractByRules(pages)
    scored.push({ contract, pages, extraction, scores: scores(contract.labels, extraction.entities) })
  }
  return scored
}
