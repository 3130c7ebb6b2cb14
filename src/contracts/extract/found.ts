import type { Range } from './contract-view.ts'

/** Something that a rule found, and how sure the rule is. */
export interface Found extends Range {
  readonly value: string
  readonly normalized?: string | undefined
  readonly confidence: number
}

/** The first of each normalised value, the surest first where two stand for the same. */
export function distinct<One extends Found>(found: readonly One[], most = 200): One[] {
  const kept = new Map<string, One>()
  for (const one of found) {
    const key = (one.normalized ?? one.value).toLowerCase()
    const known = kept.get(key)
    if (!known || known.confidence < one.confidence) kept.set(key, one)
  }
  return [...kept.values()].sort((a, b) => a.start - b.start).slice(0, most)
}

/** Text on one line, as a value. */
export const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
