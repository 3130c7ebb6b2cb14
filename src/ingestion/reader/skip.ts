import {
  BadJson,
  closeList,
  closeObject,
  comma,
  depthMax,
  escapeEnd,
  incomplete,
  openList,
  openObject,
  quote,
  scalarEnd,
  spaceEnd,
  stringEnd,
  valueAfterColon,
} from './json.ts'
import type { Window } from './window.ts'

/** Passes over one value of any size and shape, strictly, holding no more than a token of it. */
export class Skipper {
  readonly #closers = new Uint8Array(depthMax + 1)
  #depth = 0
  /** What is due: 0 the first element or the end, 1 a comma or the end, 2 an element. */
  #due = 2
  #inString = false

  start(): void {
    this.#depth = 0
    this.#due = 2
    this.#inString = false
  }

  /** Goes on from the window's place. True when the value has ended; false where more bytes are needed. */
  step(window: Window): boolean {
    const { bytes } = window
    for (;;) {
      if (this.#inString) {
        if (!this.#passString(window)) return false
        if (this.#depth === 0) return true
      }
      window.at = spaceEnd(bytes, window.at, window.end)
      if (window.at >= window.end) return false
      const byte = bytes[window.at]!
      const closer = this.#closers[this.#depth]!
      if (this.#depth > 0 && byte === closer && this.#due !== 2) {
        window.at++
        this.#due = 1
        if (--this.#depth === 0) return true
        continue
      }
      if (this.#due === 1) {
        if (byte !== comma)
          throw new BadJson(window.at, `a comma or ${String.fromCharCode(closer)} is due here`)
        window.at++
        this.#due = 2
        continue
      }
      const value = this.#depth > 0 && closer === closeObject ? this.#memberValue(window) : window.at
      if (value === incomplete) return false
      if (!this.#begin(window, value)) return false
      if (this.#depth === 0 && !this.#inString) return true
    }
  }

  #memberValue(window: Window): number {
    if (window.bytes[window.at] !== quote) throw new BadJson(window.at, 'a key in quotes is due here')
    const keyEnd = stringEnd(window.bytes, window.at, window.end)
    return keyEnd === incomplete ? incomplete : valueAfterColon(window.bytes, keyEnd, window.end)
  }

  /** Enters the value at `value`, or passes it where it is a scalar. */
  #begin(window: Window, value: number): boolean {
    const byte = window.bytes[value]!
    if (byte === openObject || byte === openList) {
      if (this.#depth >= depthMax) throw new BadJson(value, 'the nesting is too deep', 'too_deep')
      this.#closers[++this.#depth] = byte === openObject ? closeObject : closeList
      this.#due = 0
      window.at = value + 1
      return true
    }
    this.#due = 1
    if (byte === quote) {
      this.#inString = true
      window.at = value + 1
      return true
    }
    const end = scalarEnd(window.bytes, value, window.end)
    if (end === incomplete) {
      this.#due = 2
      return false
    }
    window.at = end
    return true
  }

  #passString(window: Window): boolean {
    const { bytes } = window
    let index = window.at
    while (index < window.end) {
      const byte = bytes[index]!
      if (byte === quote) {
        this.#inString = false
        window.at = index + 1
        return true
      }
      if (byte === 0x5c) {
        const last = escapeEnd(bytes, index, window.end)
        if (last === incomplete) break
        index = last + 1
      } else if (byte < 0x20) {
        throw new BadJson(index, 'a control character stands in a string')
      } else index++
    }
    window.at = index
    return false
  }
}
