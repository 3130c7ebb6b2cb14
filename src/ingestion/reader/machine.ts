import {
  BadJson,
  closeList,
  closeObject,
  comma,
  incomplete,
  quote,
  spaceEnd,
  stringEnd,
  valueAfterColon,
  valueEnd,
} from './json.ts'
import { keyNumber } from './keys.ts'
import type { Reading } from './reading.ts'
import { Skipper } from './skip.ts'
import { valueBytesMax, type LooseSkip, type Window } from './window.ts'

/** Reads one small piece. False where it needs more bytes than have come; then it is asked again from the same place. */
export type Step = () => boolean

/** The document ends before its JSON does. */
export class Truncated extends Error {}

export const closed = 0
export const waits = -1

/**
 * The bones of the state machine: a state is a step that reads the next element or member of one container;
 * a stack of them says where in the document the reader stands. Steps restart at small pieces, so the end of a chunk costs little.
 */
export class Machine {
  readonly reading: Reading
  readonly window: Window
  step: Step
  readonly stack: Step[] = []
  /** What is due in the container: 0 the first element or its end, 1 a comma or its end, 2 an element. */
  due = 0
  /** The member that `member` found: its key and where its value begins. */
  keyAt = 0
  keyEnd = 0
  value = 0
  /** A piece that did not fit is tried again when this many bytes are there, not at every chunk. */
  bytesNeeded = 0
  readonly #skipper = new Skipper()
  readonly #loose: LooseSkip = { depth: 0, inString: false }

  constructor(reading: Reading, start: Step) {
    this.reading = reading
    this.window = reading.window
    this.step = start
  }

  /** Goes into the container whose opening bracket stands at `at`. */
  enter(step: Step, at: number): true {
    this.stack.push(this.step)
    this.step = step
    this.due = 0
    this.window.at = at + 1
    return true
  }

  /** Goes back to the container around; the value just read was an element of it. */
  leave(): true {
    this.step = this.stack.pop()!
    this.due = 1
    return true
  }

  /** The element ends at `end`. */
  pass(end: number): true {
    this.window.at = end
    this.due = 1
    return true
  }

  /** Moves to the next element of a list: answers its first byte, `closed` behind the closing bracket, or `waits`. */
  next(closer: number): number {
    const { window } = this
    const { bytes, end } = window
    let at = window.at
    for (;;) {
      at = spaceEnd(bytes, at, end)
      window.at = at
      if (at >= end) return this.#starve()
      const byte = bytes[at]!
      if (byte === closer && this.due !== 2) {
        window.at = at + 1
        return closed
      }
      if (this.due !== 1) return byte
      if (byte !== comma) {
        throw new BadJson(at, `a comma or ${String.fromCharCode(closer)} is due here`)
      }
      this.due = 2
      at++
    }
  }

  nextElement(): number {
    return this.next(closeList)
  }

  /** Moves to the next member of an object: answers the number of its key plus one, `closed`, or `waits`. */
  member(): number {
    const byte = this.next(closeObject)
    if (byte <= closed) return byte
    const { window } = this
    if (byte !== quote) throw new BadJson(window.at, 'a key in quotes is due here')
    const keyEnd = stringEnd(window.bytes, window.at, window.end)
    if (keyEnd === incomplete) return this.#starve()
    const value = valueAfterColon(window.bytes, keyEnd, window.end)
    if (value === incomplete) return this.#starve()
    this.keyAt = window.at
    this.keyEnd = keyEnd
    this.value = value
    const key = keyNumber(window.bytes, window.at, keyEnd)
    return (key === 0 ? this.reading.looseKey(window.at, keyEnd) : key) + 1
  }

  #starve(): typeof waits {
    if (this.window.done) throw new Truncated()
    if (this.window.waiting >= valueBytesMax) {
      throw new BadJson(this.window.at, 'a key is larger than the limit', 'too_large')
    }
    return waits
  }

  /** The end of the value at `value`, strictly; `incomplete` where it has to be waited for or skipped. */
  strictEnd(value: number): number {
    return valueEnd(this.window.bytes, value, this.window.end, this.stack.length + 1)
  }

  /** What to do about a value that is not whole: wait for the rest, or pass over it where it is larger than the limit. */
  wait(value: number, leaf: string): boolean {
    const { window } = this
    if (window.done) {
      this.strictEnd(value)
      throw new Truncated()
    }
    const have = window.end - value
    if (have < valueBytesMax) {
      this.bytesNeeded = Math.min(window.waiting * 2, valueBytesMax)
      return false
    }
    this.strictEnd(value)
    this.reading.odd('too_large', value, leaf)
    return this.skip(value)
  }

  /** Passes over the value at `value`, whatever its size. */
  skip(value: number): true {
    this.#skipper.start()
    this.enter(this.#skipStep, value - 1)
    return true
  }

  /** Passes over the list or object at `value` without judging what is in it: it is of no interest. */
  skipLoosely(value: number): true {
    this.#loose.depth = 0
    this.#loose.inString = false
    this.enter(this.#looseStep, value - 1)
    return true
  }

  readonly #looseStep = (): boolean => {
    const { window } = this
    window.skipOn(this.#loose)
    if (this.#loose.depth === 0) return this.leave()
    if (window.done) throw new Truncated()
    return false
  }

  readonly #skipStep = (): boolean => {
    const { window } = this
    if (this.#skipper.step(window)) return this.leave()
    if (window.done) throw new Truncated()
    if (window.waiting >= valueBytesMax)
      throw new BadJson(window.at, 'a value is larger than the limit', 'too_large')
    return false
  }
}
