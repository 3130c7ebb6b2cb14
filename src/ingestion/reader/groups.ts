import { incomplete, listEnd, openObject, valueEnd } from './json.ts'
import { GroupParser } from './group.ts'
import { groupPiece, type Memo } from './memo.ts'
import type { ReadFilter } from './output.ts'
import type { Words } from './word-list.ts'
import type { Reading } from './reading.ts'
import type { Vocabulary } from './words.ts'

const unwanted = 0
const wanted = 1

/** Reads provider groups, each once: a group whose bytes were met before is known. */
export class Groups {
  readonly #reading: Reading
  readonly #parser: GroupParser
  readonly #memo: Memo

  constructor(reading: Reading, vocabulary: Vocabulary, memo: Memo, filter: ReadFilter | undefined) {
    this.#reading = reading
    this.#parser = new GroupParser(reading, vocabulary, filter)
    this.#memo = memo
  }

  /** Reads the group at `at` into `into` where it is wanted. Answers its end, `incomplete` where it is not whole. */
  read(at: number, limit: number, into: Words): number {
    const reading = this.#reading
    const { bytes } = reading.window
    if (bytes[at] !== openObject) {
      const end = valueEnd(bytes, at, limit, 5)
      if (end !== incomplete) reading.odd(bytes[at] === 0x6e ? 'null_in_list' : 'wrong_type', at, '')
      return end
    }
    const end = reading.window.bracketsEnd(at, limit)
    if (end === incomplete) return incomplete
    const entry = this.#memo.findPiece(at, end, groupPiece)
    if (entry >= 0) {
      const effect = this.#memo.effect(entry)
      if (effect) reading.book.repeat(effect, 1)
      if (this.#memo.extra(entry) === wanted) into.push(this.#memo.value(entry))
      return end
    }
    const mark = reading.book.startUnit()
    this.#parser.parse(at, end)
    const effect = reading.book.endUnit(mark)
    this.#memo.remember(this.#parser.id, this.#parser.wanted ? wanted : unwanted, effect)
    if (this.#parser.wanted) into.push(this.#parser.id)
    return end
  }

  /** Reads the list of groups at `at`, which ends before `limit`. */
  readList(at: number, limit: number, into: Words): number {
    const end = listEnd(this.#reading.window.bytes, at, limit, (value, index) => {
      this.#reading.group = index
      return this.read(value, limit, into)
    })
    this.#reading.group = -1
    return end
  }
}
