import { prefixLettersMax, prefixToken } from './gathering.ts'
import type { OpenedIndex } from './opened-index.ts'
import type { Group } from './plan.ts'
import { slipFit, type Slot } from './rank.ts'
import { isLight, longForm, longFormsNear } from './words.ts'

const completionsMax = 64
const neighboursMax = 48
const farNeighboursMax = 64
const lightShare = 0.15
const abbreviationFit = 0.6

/** A word of a question, made ready to be looked for. */
export function slotOf(index: OpenedIndex, typed: string): Slot {
  const word = longForm(typed)
  const count = index.vocabulary.count(word)
  // A word nobody bears is a slip or a beginning: it tells less than its rarity claims.
  const telling = count === 0 ? 0.6 * Math.log(2 + index.rows) : Math.log(2 + index.rows / count)
  const state = word.toUpperCase()
  const isState = word.length === 2 && index.columns.valuesOf('state').includes(state)
  const place = isState ? index.columns.test('state', [state]) : undefined
  return { word, typed, weight: isLight(word) ? telling * lightShare : telling, near: new Map(), place }
}

/** Entries that bear the word itself. A two-letter state also finds the entries of that state. */
export function exactly(index: OpenedIndex, slot: Slot): Group {
  const count = index.vocabulary.count(slot.word)
  const state = slot.place
  if (state === undefined) return { tokens: [slot.word], count }
  return { tokens: count === 0 ? state.tokens : [slot.word, ...state.tokens], count: count + state.count }
}

/** Entries that bear the word, or a word that begins with what was typed. */
export function beginning(index: OpenedIndex, slot: Slot): Group {
  const { word, typed, place } = slot
  const tokens = [...(place?.tokens ?? [])]
  let count = place?.count ?? 0
  if (typed.length <= prefixLettersMax) {
    tokens.push(prefixToken(typed))
    count += index.prefixCount(typed)
  } else {
    const found = index.vocabulary.completions(typed, completionsMax)
    tokens.push(...found.map((term) => term.word))
    count += sum(found)
  }
  if (!word.startsWith(typed) && index.vocabulary.count(word) > 0) {
    tokens.push(word)
    count += index.vocabulary.count(word)
  }
  return { tokens, count }
}

/** Entries that bear the word or one of the words near it. */
export function nearly(index: OpenedIndex, slot: Slot, withItself = true): Group {
  const tokens = [...slot.near.keys()]
  let count = tokens.reduce((all, word) => all + index.vocabulary.count(word), 0)
  if (withItself) {
    const itself = exactly(index, slot)
    if (itself.count > 0) {
      tokens.push(...itself.tokens)
      count += itself.count
    }
  }
  return { tokens, count }
}

/** Learns the words within a slip or two of a slot's word; returns how often the most frequent of them occurs. */
export function learnNeighbours(index: OpenedIndex, slot: Slot, distance: 1 | 2): number {
  const { word } = slot
  if (word.length < (distance === 1 ? 2 : 5) || /^\d+$/.test(word)) return 0
  const found = index.vocabulary
    .neighbours(word, distance)
    // The first letter alone, and words of one letter, are not what a slip leaves.
    .filter((near) => near.word.length > 1 && (distance === 1 || near.word.length >= 4))
    .map((near) => ({ ...near, fit: slipFit(near.distance, near.count, word.length) }))
    .sort((a, b) => b.fit - a.fit || (a.word < b.word ? -1 : 1))
    .slice(0, distance === 1 ? neighboursMax : farNeighboursMax)
  for (const { word: near, fit } of found) if ((slot.near.get(near) ?? 0) < fit) slot.near.set(near, fit)
  for (const long of distance === 1 ? longFormsNear(slot.typed) : [])
    if (!slot.near.has(long) && index.vocabulary.count(long) > 0) slot.near.set(long, abbreviationFit)
  return found.reduce((most, { count }) => Math.max(most, count), 0)
}

/** Learns what a word may be a slip of that only looks like an abbreviation: `nw` for `new`. */
export function learnShortNeighbours(index: OpenedIndex, slot: Slot): void {
  const { typed, word, near } = slot
  if (typed === word || typed.length < 2) return
  for (const { word: other, count } of index.vocabulary.neighbours(typed, 1)) {
    const fit = slipFit(1, count, typed.length)
    if (other.length > 1 && (near.get(other) ?? 0) < fit) near.set(other, fit)
  }
}

const sum = (terms: readonly { count: number }[]) => terms.reduce((all, { count }) => all + count, 0)
