import type { FacetTest } from './columns.ts'
import { nameToken } from './gathering.ts'
import type { OpenedIndex } from './opened-index.ts'
import { drawRows, type Budget, type Group } from './plan.ts'
import { fit, type NameFields, type Slot } from './rank.ts'
import { respaced } from './respell.ts'
import { beginning, exactly, learnNeighbours, learnShortNeighbours, nearly, slotOf } from './slots.ts'
import { isLight, longForm, nameKey, typedWords } from './words.ts'

/** What somebody looks for by name. */
export interface NameQuestion {
  readonly text: string
  readonly filters: readonly FacetTest[]
  readonly fields: NameFields
  readonly limit: number
  /** The last word may be half typed: its beginning counts for as much as the whole. */
  readonly typing?: boolean
}

export interface Hit {
  readonly row: number
  readonly score: number
}

const wordsMax = 12
const postingsBudget = 2_500_000
/** Looser ways of matching are tried until an answer has this many, never to fill a longer list. */
const enough = 10
const candidatesLeast = 200
const reservedPlaces = 3
const muchMoreFrequent = 20
const respacedFactor = 0.97
const wellRespaced = 0.85
const missingFactor = 0.75
const respacingsMax = 6
const toldEnough = 0.5
/** A score like this is reached by all words as typed, or by one slip in a word that is not the most telling. */
const sure = 0.9
/** A score below this says that the guesses so far may all be wrong. */
const convincing = 0.75

/**
 * The entries that a few words mean, best first. From strict to loose: the whole name, all words, other spacing,
 * beginnings of words, one slip, two slips, a word left out. Each step runs only while the ones before found too few.
 */
export function match(index: OpenedIndex, question: NameQuestion): Hit[] {
  const typed = typedWords(question.text).slice(0, wordsMax)
  if (typed.length === 0) return []
  index.frequent.tidy()
  return new Matching(index, question, typed).run()
}

class Matching {
  readonly #index: OpenedIndex
  readonly #question: NameQuestion
  readonly #typed: readonly string[]
  readonly #slots: readonly Slot[]
  readonly #required: readonly Slot[]
  readonly #last: Slot | undefined
  readonly #budget: Budget = { postings: postingsBudget, read: new Map() }
  readonly #hits = new Map<number, number>()
  /** Finds that rest on a cut of a word and little else: a slip of the pen may explain it better. */
  readonly #doubtful = new Set<number>()

  constructor(index: OpenedIndex, question: NameQuestion, typed: readonly string[]) {
    this.#index = index
    this.#question = question
    this.#typed = typed
    const slots = typed.map((word) => slotOf(index, word))
    this.#last = slots.at(-1)
    this.#slots = ordered(slots)
    this.#required = this.#needed(slots)
  }

  run(): Hit[] {
    const whole = this.#wholeName()
    this.#allWords()
    const isHalfTyped = this.#isHalfTyped()
    if (isHalfTyped) this.#beginnings()
    if (this.#found() < enough) this.#otherSpacing()
    if (this.#found() < enough && !isHalfTyped) this.#beginnings()
    const misspelt = this.#neighbours()
    if (this.#found() >= enough) return misspelt.length > 0 ? this.#withReserved(misspelt) : this.#best()
    // Somebody bears just this name, and no word of it looks like a slip: guesses would only fill the list.
    if (whole && misspelt.length === 0) return this.#best()
    this.#strayLetters()
    this.#oneSlip(this.#required)
    if (this.#found() < enough && this.#topScore() < sure) this.#twoSlips()
    if (this.#topScore() < convincing) this.#leaveOut()
    // Guesses fill an answer up; they do not lengthen it, or a filter could find more than no filter.
    return this.#best().slice(0, enough)
  }

  /** Whether the last word is likelier the beginning of one than two words without a space. */
  #isHalfTyped(): boolean {
    if (this.#question.typing === true) return true
    const { word = '', typed = '' } = this.#last ?? {}
    return this.#index.vocabulary.count(word) === 0 && this.#index.vocabulary.hasPrefix(typed)
  }

  /** Entries whose name consists of just these words, in any order. */
  #wholeName(): boolean {
    const before = this.#hits.size
    const token = nameToken(nameKey(this.#typed.map(longForm)))
    // How many share the name is not known beforehand; names are rare words.
    this.#draw([{ tokens: [token], count: 1 }], this.#slots)
    return this.#hits.size > before
  }

  #allWords(): void {
    this.#draw(
      this.#required.map((slot) => exactly(this.#index, slot)),
      this.#slots,
    )
  }

  #otherSpacing(): void {
    const before = new Set(this.#hits.keys())
    for (const typed of respaced(this.#index, this.#typed, before.size > 0).slice(0, respacingsMax)) {
      const slots = typed.map((word) => slotOf(this.#index, word))
      this.#draw(
        this.#needed(slots).map((slot) => exactly(this.#index, slot)),
        ordered(slots),
        respacedFactor,
      )
    }
    for (const [row, score] of this.#hits)
      if (!before.has(row) && score < wellRespaced) this.#doubtful.add(row)
  }

  #beginnings(): void {
    const index = this.#index
    const last = this.#last
    if (last === undefined) return
    const others = this.#required.filter((slot) => slot !== last)
    this.#draw([...others.map((slot) => exactly(index, slot)), beginning(index, last)], this.#slots)
    if (this.#hits.size < enough && others.length > 0)
      this.#draw(
        this.#required.map((slot) => beginning(index, slot)),
        this.#slots,
      )
  }

  /** Learns what each word may be a slip of; returns the words that have a far more frequent neighbour. */
  #neighbours(): Slot[] {
    return this.#required.filter((slot) => {
      const most = learnNeighbours(this.#index, slot, 1)
      return slot.word.length > 2 && most > muchMoreFrequent * (1 + this.#index.vocabulary.count(slot.word))
    })
  }

  #oneSlip(slipped: readonly Slot[], want = candidatesLeast): void {
    for (const slot of slipped)
      this.#draw(
        this.#required.map((other) =>
          other === slot ? nearly(this.#index, slot, false) : this.#asTyped(other),
        ),
        this.#slots,
        1,
        0,
        want,
      )
  }

  #twoSlips(): void {
    const index = this.#index
    for (const slot of this.#required) learnShortNeighbours(index, slot)
    if (this.#required.length > 1)
      this.#draw(
        this.#required.map((slot) => nearly(index, slot)),
        this.#slots,
      )
    for (const slot of this.#required) {
      if (this.#hits.size >= enough) return
      learnNeighbours(index, slot, 2)
      this.#draw(
        this.#required.map((other) => (other === slot ? nearly(index, slot, false) : this.#asTyped(other))),
        this.#slots,
      )
    }
  }

  /** A lone letter among words is often a slip for a dash or a space. */
  #strayLetters(): void {
    const others = this.#required.filter(({ word }) => word.length > 1)
    if (others.length < 2 || others.length === this.#required.length) return
    const strays = this.#required.length - others.length
    this.#draw(
      others.map((slot) => exactly(this.#index, slot)),
      this.#slots,
      missingFactor,
      strays,
    )
  }

  #leaveOut(): void {
    if (this.#required.length < 2) return
    // What nobody bears goes first, then what tells least.
    const expendable = this.#required.toSorted(
      (a, b) => known(this.#index, a) - known(this.#index, b) || a.weight - b.weight,
    )
    const told = this.#required.reduce((sum, { weight }) => sum + weight, 0)
    // Without the word that tells most, what is left may be anybody.
    const spare = expendable.filter(({ weight }) => told - weight >= told * toldEnough)
    for (const slot of spare.slice(0, 3)) {
      if (this.#hits.size >= enough && this.#topScore() >= convincing) return
      this.#draw(
        this.#required.filter((other) => other !== slot).map((other) => nearly(this.#index, other)),
        this.#slots,
        missingFactor,
        1,
      )
    }
  }

  #asTyped(slot: Slot): Group {
    return slot === this.#last || this.#index.vocabulary.count(slot.word) === 0
      ? beginning(this.#index, slot)
      : exactly(this.#index, slot)
  }

  /** Words that an entry must have. Light ones are asked for only when there is nothing else, or while being typed. */
  #needed(slots: readonly Slot[]): Slot[] {
    const heavy = slots.filter(
      (slot) => !isLight(slot.word) || (this.#question.typing === true && slot === this.#last),
    )
    return heavy.length > 0 ? heavy : [...slots]
  }

  #draw(
    groups: readonly Group[],
    slots: readonly Slot[],
    factor = 1,
    missingMax = 0,
    want = Math.max(candidatesLeast, this.#question.limit),
  ): void {
    let taken = 0
    drawRows(this.#index, groups, this.#question.filters, this.#budget, want, (row) => {
      const found = fit(slots, row, this.#index.names(row), this.#question.fields)
      if (found.missing > missingMax || (found.missing > 0 && found.score < toldEnough)) return true
      const score = found.score * factor
      if (score > (this.#hits.get(row) ?? 0)) this.#hits.set(row, score)
      taken++
      return taken < want
    })
  }

  #found(): number {
    return this.#hits.size - this.#doubtful.size
  }

  #topScore(): number {
    return this.#hits.values().reduce((most, score) => Math.max(most, score), 0)
  }

  #best(): Hit[] {
    return sorted(this.#hits).slice(0, this.#question.limit)
  }

  /** The answer, with a few of its first places kept for the entries that a slip of the pen would hide. */
  #withReserved(misspelt: readonly Slot[]): Hit[] {
    const strict = this.#best()
    if (this.#question.limit < enough) return strict
    const before = new Set(this.#hits.keys())
    this.#oneSlip(misspelt, reservedPlaces * 10)
    const others = sorted(this.#hits)
      .filter(({ row }) => !before.has(row))
      .slice(0, reservedPlaces)
    const ahead = enough - others.length
    return [...strict.slice(0, ahead), ...others, ...strict.slice(ahead)].slice(0, this.#question.limit)
  }
}

/** Whether a word is worth insisting on: a lone letter is not, nor one that nobody bears, nor two letters like others. */
const known = (index: OpenedIndex, slot: Slot) =>
  (slot.word.length > 1 && index.vocabulary.count(slot.word) > 0) ||
  (slot.word.length > 2 && slot.near.size > 0)
    ? 1
    : 0

/** The order in which words choose their partners; the same whatever order they were typed in. */
const ordered = (slots: readonly Slot[]) =>
  slots.toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0))

const sorted = (hits: ReadonlyMap<number, number>): Hit[] =>
  [...hits].map(([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row)
