import { Failure } from '../errors.ts'
import { typedWords } from '../search/words.ts'

export const suggestionsMost = 10
const digitsLeast = 3
const charactersLeast = 2

/** The digits of a term that is an identifier or the beginning of one: `12-3456789`, `1234`; undefined for other text. */
export function digitsOf(term: string): string | undefined {
  const bare = term.replaceAll(/[\s-]/g, '')
  return /^\d+$/.test(bare) ? bare : undefined
}

/**
 * The one term that suggestions are wanted for. Too short a term is refused rather than answered with nothing:
 * a refused call costs no credit, and says what is missing.
 */
export function suggestionTerm(terms: readonly string[], path: string): string {
  const [term, ...more] = terms
  if (term === undefined || more.length > 0) throw invalid(path, 'suggestionsOnly takes exactly one term')
  const digits = digitsOf(term)
  if (digits !== undefined && digits.length < digitsLeast)
    throw invalid(path, `suggestions for an identifier need at least ${digitsLeast} digits`)
  if (digits === undefined && typedWords(term).join('').length < charactersLeast)
    throw invalid(path, `suggestions for text need at least ${charactersLeast} characters`)
  return term
}

function invalid(path: string, message: string): Failure {
  return new Failure('invalid_request', undefined, { problems: [{ path, message }] })
}

/** Several lists merged in turns, first the best of each, without repeats. */
export function inTurns<Value>(lists: readonly (readonly Value[])[], most: number): Value[] {
  const seen = new Set<Value>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest && seen.size < most; place++)
    for (const list of lists) {
      const value = list[place]
      if (value !== undefined && seen.size < most) seen.add(value)
    }
  return [...seen]
}

/** The fields asked for, in the record's own order; all without a list. */
export function picked<Record extends object>(
  record: Record,
  fields: readonly string[] | null | undefined,
  always: readonly string[] = [],
): Partial<Record> {
  if (fields === undefined || fields === null) return record
  const wanted = new Set([...fields, ...always])
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted.has(name))) as Partial<Record>
}
