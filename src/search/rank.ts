import type { FacetTest } from './columns.ts'
import { besideMark } from './gathering.ts'
import { isLight } from './words.ts'

/** A word of a question, with everything it may stand for. */
export interface Slot {
  /** In the spelling of the index: abbreviations written out. */
  readonly word: string
  /** As it was typed; it may be the beginning of a word. */
  readonly typed: string
  /** How much the word tells: rare words more than common ones. */
  readonly weight: number
  /** Vocabulary words near it, and how well each fits, from 0 to 1. Grows as the search widens. */
  readonly near: Map<string, number>
  /** Set where the word is a state's code: which entries lie in that state. */
  readonly place?: FacetTest | undefined
}

/** Which names of an entry count: its display name, its other names, or both. */
export interface NameFields {
  readonly display: boolean
  readonly others: boolean
}

/** How well an entry answers a question. */
export interface Fit {
  /** From 0 to 1; higher is better. */
  readonly score: number
  /** Words of the question that the entry lacks; light ones are not counted. */
  readonly missing: number
}

const completionLeast = 0.8
const completionMost = 0.95
const initialFit = 0.35
const otherNameFactor = 0.97
const besideFit = 0.9
const coverageShare = 0.2
const none: Fit = { score: 0, missing: 99 }

/** How well a question fits an entry's names: each of its words is paired with the best free word of a name. */
export function fit(slots: readonly Slot[], row: number, text: string, fields: NameFields): Fit {
  const mark = text.indexOf(besideMark)
  const beside = mark < 0 ? [] : text.slice(mark + 1).split(' ')
  const names = (mark < 0 ? text : text.slice(0, mark)).split('|')
  let best = none
  for (const [place, name] of names.entries()) {
    if (place === 0 ? !fields.display : !fields.others) continue
    const found = nameFit(slots, row, name.split(' '), beside)
    const score = place === 0 ? found.score : found.score * otherNameFactor
    if (found.missing < best.missing || (found.missing === best.missing && score > best.score))
      best = { score, missing: found.missing }
  }
  return best
}

function nameFit(
  slots: readonly Slot[],
  row: number,
  name: readonly string[],
  beside: readonly string[],
): Fit {
  const used = new Uint8Array(name.length)
  let gained = 0
  let asked = 0
  let missing = 0
  // A word that stands there as typed is not another's slip.
  const exact = slots.map((slot) => {
    const at = name.findIndex((word, place) => used[place] === 0 && word === slot.word)
    if (at >= 0) used[at] = 1
    return at >= 0
  })
  for (const [place, slot] of slots.entries()) {
    asked += slot.weight
    if (exact[place] === true) {
      gained += slot.weight
      continue
    }
    let best = 0
    let bestAt = -1
    for (let at = 0; at < name.length; at++) {
      if (used[at] === 1) continue
      const likeness = wordFit(slot, name[at] ?? '')
      if (likeness > best) {
        best = likeness
        bestAt = at
      }
    }
    if (bestAt >= 0 && best > initialFit) used[bestAt] = 1
    else if (best <= initialFit) {
      for (const word of beside) best = Math.max(best, besideFit * wordFit(slot, word))
      if (slot.place?.passes(row) === true) best = Math.max(best, besideFit)
      if (bestAt >= 0 && best <= initialFit) used[bestAt] = 1
    }
    gained += slot.weight * best
    if (best === 0 && !isLight(slot.word)) missing++
  }
  let [covered, whole] = [0, 0]
  for (let at = 0; at < name.length; at++) {
    const weight = nameWeight(name[at] ?? '')
    whole += weight
    if (used[at] === 1) covered += weight
  }
  const coverage = whole === 0 ? 0 : covered / whole
  return {
    score: asked === 0 ? 0 : (gained / asked) * (1 - coverageShare + coverageShare * coverage),
    missing,
  }
}

function wordFit(slot: Slot, word: string): number {
  if (word === slot.word) return 1
  const near = slot.near.get(word) ?? 0
  const begun = word.startsWith(slot.word) ? slot.word : word.startsWith(slot.typed) ? slot.typed : ''
  if (begun !== '')
    return Math.max(near, completionLeast + ((completionMost - completionLeast) * begun.length) / word.length)
  if (near > 0) return near
  return word.length === 1 && slot.word.startsWith(word) ? initialFit : 0
}

/** What a word of a name counts for when the question does not mention it. */
function nameWeight(word: string): number {
  if (word.length === 1) return 0.3
  return isLight(word) ? 0.15 : 1
}

/** How well a word fits that lies some slips away: frequent words are likelier meant than rare ones. */
export function slipFit(distance: number, count: number, length: number): number {
  const often = Math.min(1, Math.log10(count + 1) / 6)
  const base = distance === 1 ? 0.68 : 0.44
  // One slip in three letters changes a word more than one in nine.
  const room = Math.min(1, length / 8)
  return base + 0.08 * often + 0.06 * room
}
