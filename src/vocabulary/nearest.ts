import { distance } from 'fastest-levenshtein'

const nearestShown = 3
const shownMax = 60

/**
 * The allowed values that look most like a wrong one, best first.
 * A list of hundreds helps no one; three neighbours show a misspelling for what it is.
 */
export function nearest(wrong: string, allowed: readonly string[], most = nearestShown): string[] {
  const folded = wrong.slice(0, shownMax).toLowerCase()
  const best: { value: string; far: number }[] = []
  for (const value of allowed) {
    const far = farness(folded, value.toLowerCase())
    const after = best.findLastIndex((kept) => kept.far < far || (kept.far === far && kept.value < value))
    if (after + 1 >= most) continue
    best.splice(after + 1, 0, { value, far })
    best.length = Math.min(best.length, most)
  }
  return best.map(({ value }) => value)
}

// A value that contains what was typed is nearer than its length suggests: "Texas" means "BCBS Texas".
function farness(wrong: string, value: string): number {
  const far = distance(wrong, value) / Math.max(wrong.length, value.length, 1)
  return wrong.length > 1 && value.includes(wrong) ? far / 2 : far
}

/** What is wrong with a value off the list, in a sentence that helps to mend it. */
export function notAllowed(what: string, wrong: unknown, allowed: readonly string[]): string {
  if (wrong === undefined) return `${what} is missing`
  const noun = `${/^[aeiou]/i.test(what) ? 'an' : 'a'} ${what}`
  if (typeof wrong !== 'string') return `${shortened(JSON.stringify(wrong))} is not ${noun}: expected text`
  const near = allowed.length <= 8 ? allowed : nearest(wrong, allowed)
  const list = near.map((value) => JSON.stringify(value)).join(', ')
  return `${JSON.stringify(shortened(wrong))} is not ${noun}; ${allowed.length <= 8 ? 'allowed' : 'nearest'}: ${list}`
}

// What a caller sent can be as long as a body may be; the message that quotes it is not.
const shortened = (text: string) => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)
