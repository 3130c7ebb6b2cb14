import type { ClauseCategory, PolicyCategory } from '../../operations/contract-entities.ts'

/** What a passage can be about, with the words that speak for it and how strongly. */
export type PassageSubject = {
  /** What its headings say. */
  readonly heading?: RegExp
  readonly words: readonly (readonly [RegExp, number])[]
} & (
  | { readonly is: 'clause'; readonly category: ClauseCategory; readonly type: string }
  | { readonly is: 'policy'; readonly category: PolicyCategory; readonly type: string }
)

/** The words for those who get care. */
export const patient = String.raw`(?:members?|enrollees?|patients?|covered\s+persons?|beneficiar(?:y|ies)|residents?|participants?|insureds?|subscribers?|famil(?:y|ies))`
