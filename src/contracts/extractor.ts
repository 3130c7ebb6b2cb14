import type { Extraction } from './extract/rules.ts'
import type { ReadDocument } from './read-document.ts'

/** Turns the text of a contract into entities with evidence. */
export interface Extractor {
  extract(document: ReadDocument, signal: AbortSignal): Promise<Extraction>
}

/** The extractor that is always there: the rules, which the reader of the document has applied already. */
export const ruleExtractor: Extractor = {
  extract: async ({ extraction }) => extraction!,
}
