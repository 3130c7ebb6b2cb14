import type { OpenedIndex } from './opened-index.ts'
import { longForm } from './words.ts'

const cutsMax = 6
const cutVariants = 3
const cutLettersMin = 5
/** A cut leaves so many initials at most (`jpsmith`); letters alone are no words. */
const initialsMax = 2
const wordsShare = 0.6

/**
 * Other ways to space a question: two words written as one (`health care`), and one word cut where spaces are missing
 * (`johnsmith`, `stmaryhospital`). Only into words that the index holds; the likeliest first. Where the words as typed
 * were found, only those are cut that nobody bears, and those that are as well written in two (`healthcare`).
 */
export function respaced(index: OpenedIndex, typed: readonly string[], areFound: boolean): string[][] {
  const joined: string[][] = []
  const shifted: string[][] = []
  for (let place = 0; place + 1 < typed.length; place++) {
    const both = `${typed[place]}${typed[place + 1]}`
    if (index.vocabulary.count(both) > 0) joined.push(typed.toSpliced(place, 2, both))
    // The space slipped by a letter: `universityo f`.
    else if (unknown(index, typed[place] ?? '') || unknown(index, typed[place + 1] ?? ''))
      for (const pieces of cuts(index, both).slice(0, 1)) shifted.push(typed.toSpliced(place, 2, ...pieces))
  }
  const cut: string[][] = []
  // What nobody bears is likelier glued than what somebody does.
  const places = [...typed.keys()].sort((a, b) => known(index, typed[a]) - known(index, typed[b]) || a - b)
  for (const place of places) {
    const word = typed[place] ?? ''
    if (word.length < cutLettersMin || longForm(word) !== word) continue
    let pieces = cuts(index, word)
    if (areFound && !unknown(index, word))
      pieces = pieces.filter((two) => isCompound(index, word, two)).slice(0, 1)
    if (unknown(index, word)) pieces.splice(1, 0, ...mistyped(index, word))
    for (const words of pieces) cut.push(typed.toSpliced(place, 1, ...words))
  }
  const everywhere = typed.flatMap((word) =>
    index.vocabulary.count(word) > 0 || word.length < cutLettersMin
      ? [word]
      : (cuts(index, word)[0] ?? [word]),
  )
  if (everywhere.length > typed.length + 1) cut.unshift(everywhere)
  const seen = new Set<string>()
  return [...joined, ...cut.slice(0, cutVariants), ...shifted, ...cut.slice(cutVariants)].filter((words) => {
    const text = words.join(' ')
    return !seen.has(text) && seen.add(text)
  })
}

const known = (index: OpenedIndex, word = '') => (unknown(index, word) ? 0 : 1)
const unknown = (index: OpenedIndex, word: string) => index.vocabulary.count(longForm(word)) === 0

/** Whether a word is written of two that are each as frequent as the whole. */
function isCompound(index: OpenedIndex, word: string, pieces: readonly string[]): boolean {
  const whole = index.vocabulary.count(word)
  return pieces.length === 2 && pieces.every((piece) => index.vocabulary.count(longForm(piece)) >= whole)
}

/** Two words with a letter where the space should be: `saintpagnes`. */
function mistyped(index: OpenedIndex, letters: string): string[][] {
  const found: string[][] = []
  for (let place = 2; place + 2 < letters.length; place++) {
    const [left, right] = [letters.slice(0, place), letters.slice(place + 1)]
    const isWord = (piece: string) => piece.length > 2 || longForm(piece) !== piece
    if (isWord(left) && isWord(right) && !unknown(index, left) && !unknown(index, right))
      found.push([left, right])
  }
  const rarest = (pieces: readonly string[]) =>
    Math.min(...pieces.map((piece) => index.vocabulary.count(longForm(piece))))
  return found.sort((a, b) => rarest(b) - rarest(a)).slice(0, cutVariants)
}

/** The likeliest ways to cut letters into words of the index. */
function cuts(index: OpenedIndex, letters: string): string[][] {
  interface Way {
    readonly pieces: readonly string[]
    readonly likelihood: number
    /** Pieces of one letter. */
    readonly initials: number
  }
  const ways: Way[][] = Array.from({ length: letters.length + 1 }, () => [])
  ways[0] = [{ pieces: [], likelihood: 0, initials: 0 }]
  const total = Math.log(2 + index.rows)
  for (let start = 0; start < letters.length; start++) {
    const reached = ways[start]
    if (reached === undefined || reached.length === 0) continue
    for (const { word, count } of pieces(index, letters, start)) {
      const end = ways[start + word.length]
      // Rare words and very short ones are unlikely pieces.
      const likelihood = Math.log(count) - total - (word.length < 3 ? 3 : 0) - (word.length < 2 ? 2 : 0)
      for (const way of reached) {
        const initials = way.initials + (word.length === 1 ? 1 : 0)
        if (way.pieces.length < cutsMax && initials <= initialsMax)
          end?.push({ pieces: [...way.pieces, word], likelihood: way.likelihood + likelihood, initials })
      }
    }
    for (let at = start + 1; at <= letters.length; at++)
      ways[at] = (ways[at] ?? []).sort((a, b) => b.likelihood - a.likelihood).slice(0, cutVariants + 1)
  }
  return (ways[letters.length] ?? [])
    .filter(({ pieces }) => pieces.length > 1 && areWords(pieces, letters.length))
    .slice(0, cutVariants)
    .map(({ pieces }) => [...pieces])
}

/** Crumbs of one or two letters can be found in anything: most letters must be in longer pieces. */
function areWords(pieces: readonly string[], letters: number): boolean {
  const inWords = pieces.reduce((sum, { length }) => (length > 2 ? sum + length : sum), 0)
  return inWords >= letters * wordsShare
}

function pieces(index: OpenedIndex, letters: string, start: number): { word: string; count: number }[] {
  const found = index.vocabulary.beginnings(letters, start)
  for (let end = start + 1; end <= Math.min(letters.length, start + 5); end++) {
    const word = letters.slice(start, end)
    const long = longForm(word)
    if (long !== word) found.push({ word, count: Math.max(1, index.vocabulary.count(long)) })
  }
  return found
}
