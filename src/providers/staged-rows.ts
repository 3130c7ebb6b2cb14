import { valueMark } from '../search/columns.ts'

/** Between the fields of a row that is handed over as one text. */
export const fieldMark = '\u001E'

/** SQL that hands a list over as text. */
export const joined = (list: string) => `array_to_string(${list}, '${valueMark}')`

/** SQL that hands several texts over as one line: a column costs more than its letters. */
export const fields = (...texts: readonly string[]) =>
  texts
    .map((text) => `translate(coalesce(${text}, ''), chr(30) || chr(10) || chr(13), '   ')`)
    .join(` || '${fieldMark}' || `)

/** The members of a list that was handed over as text. */
export const listOf = (text: unknown): string[] =>
  typeof text === 'string' && text !== '' ? text.split(valueMark) : []

/** The places of the ones in a text of bits: the payers that list a provider. */
export function bitsOf(text: unknown): number[] {
  const found: number[] = []
  if (typeof text === 'string')
    for (let at = text.indexOf('1'); at >= 0; at = text.indexOf('1', at + 1)) found.push(at)
  return found
}

/** Follows a stream of (rank, value) that is sorted by rank, beside another that walks through the ranks. */
export class Follower<Value> {
  readonly #stream: AsyncGenerator<readonly (readonly unknown[])[]>
  #ranks: readonly unknown[] = []
  #values: readonly unknown[] = []
  #at = 0
  #ended = false

  constructor(stream: AsyncGenerator<readonly (readonly unknown[])[]>) {
    this.#stream = stream
  }

  /** The values of a rank; ranks are asked for in order. A promise comes back where more must be read. */
  of(rank: number): Value[] | Promise<Value[]> {
    const found: Value[] = []
    return this.#take(rank, found) ? found : this.#readOn(rank, found)
  }

  /** False where the values of the rank may go on in the next piece of the stream. */
  #take(rank: number, found: Value[]): boolean {
    for (; this.#at < this.#ranks.length; this.#at++) {
      const there = Number(this.#ranks[this.#at])
      if (there > rank) return true
      if (there === rank) found.push(this.#values[this.#at] as Value)
    }
    return this.#ended
  }

  async #readOn(rank: number, found: Value[]): Promise<Value[]> {
    do {
      const next = await this.#stream.next()
      if (next.done === true) this.#ended = true
      else {
        const [ranks = [], values = []] = next.value
        this.#ranks = ranks
        this.#values = values
        this.#at = 0
      }
    } while (!this.#take(rank, found))
    return found
  }
}
