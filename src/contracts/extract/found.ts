import type { Range } from './contract-view.ts'

/** Something that a rule found. The rule's name tells how sure it is: rule-precision.ts holds how often it was right. */
export interface Found extends Range {
  readonly value: string
  readonly normalized?: string | undefined
  readonly rule: string
}

/** The first of each normalised value, in the order of the document. Rules that are right more often come first. */
export function distinct<One extends Found>(found: readonly One[], most = 200): One[] {
  const kept = new Map<string, One>()
  for (const one of found) {
    const key = (one.normalized ?? one.value).toLowerCase()
    if (!kept.has(key)) kept.set(key, one)
  }
  return [...kept.values()].sort((a, b) => a.start - b.start).slice(0, most)
}

/** Text on one line, as a value. */
export const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
