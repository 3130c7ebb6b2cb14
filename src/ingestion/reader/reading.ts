import { isUtf8 } from 'node:buffer'
import { type FindingBook, findingKinds, type FindingKind } from '../findings.ts'
import { keyNames, looseKeyNumber } from './keys.ts'
import { quote, stringEnd, stringTraits } from './json.ts'
import { Pools } from './pools.ts'
import type { StageWriter } from './stage.ts'
import type { Window } from './window.ts'

export type Scope = 'root' | 'reference' | 'item' | 'rate' | 'price'

const excerptMax = 80

/** What all parts of the reader share: the window, the place in the document, the pools and the findings. */
export class Reading {
  readonly window: Window
  readonly book: FindingBook
  readonly pools: Pools
  readonly stage: StageWriter
  scope: Scope = 'root'
  reference = 0
  item = 0
  rate = 0
  price = 0
  /** The place in provider_groups; -1 outside. */
  group = -1
  #looseKeyOffset = -1

  constructor(window: Window, stage: StageWriter, book: FindingBook, pools = new Pools(stage)) {
    this.window = window
    this.stage = stage
    this.book = book
    this.pools = pools
  }

  /** The JSON path of a member of what is being read. */
  path(leaf: string): string {
    const parts: string[] = []
    if (this.scope === 'reference') parts.push(`provider_references[${this.reference}]`)
    else if (this.scope !== 'root') parts.push(`in_network[${this.item}]`)
    if (this.scope === 'rate' || this.scope === 'price') parts.push(`negotiated_rates[${this.rate}]`)
    if (this.scope === 'price') parts.push(`negotiated_prices[${this.price}]`)
    if (this.group >= 0) parts.push(`provider_groups[${this.group}]`)
    if (leaf !== '') parts.push(leaf)
    return parts.length === 0 ? '$' : parts.join('.')
  }

  /** Counts a finding at window index `at`, and keeps it while few of its kind are kept. */
  odd(kind: FindingKind, at: number, leaf: string, detail = '', times = 1): void {
    this.book.count(kind, times)
    if (!this.book.keeps(kind)) return
    const says = findingKinds[kind].says + (detail === '' ? '' : `: ${detail}`)
    this.book.keep({ kind, says, offset: this.window.base + at, path: this.path(leaf) })
  }

  /** The same for what concerns the whole file. */
  oddFile(kind: FindingKind, leaf: string, detail = '', times = 1): void {
    this.odd(kind, -this.window.base, leaf, detail, times)
  }

  /** The raw text of `bytes[at…end)`, shortened for a sentence. */
  excerpt(at: number, end: number): string {
    const short = this.window.bytes.toString('utf8', at, Math.min(end, at + excerptMax))
    return end - at > excerptMax ? `${short}…` : short
  }

  /** The text of the string at `bytes[at…end)`, quotes included, escapes resolved. It has been read by `stringEnd`. */
  string(at: number, end: number, leaf: string): string {
    const { bytes } = this.window
    stringEnd(bytes, at, end)
    const traits = stringTraits
    if (traits === 0) return bytes.toString('latin1', at + 1, end - 1)
    if ((traits & 0x80) !== 0 && !isUtf8(bytes.subarray(at, end))) this.odd('bad_utf8', at, leaf)
    const text = bytes.toString('utf8', at + 1, end - 1)
    if ((traits & 1) === 0) return text
    const parsed = JSON.parse(`"${text}"`) as string
    if (parsed.isWellFormed()) return parsed
    this.odd('unpaired_surrogate', at, leaf)
    return parsed.toWellFormed()
  }

  /** The text of the scalar at `bytes[at…end)`, trimmed: numbers as written, '' for what is no text. */
  scalar(at: number, end: number, leaf: string): string {
    const byte = this.window.bytes[at]!
    if (byte === quote) {
      const text = this.string(at, end, leaf)
      const trimmed = text.trim()
      if (trimmed.length !== text.length) this.odd('text_trimmed', at, leaf)
      return trimmed
    }
    if (byte === 0x6e) this.odd('null_value', at, leaf)
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      this.odd('text_as_number', at, leaf, this.excerpt(at, end))
      return this.window.bytes.toString('latin1', at, end)
    } else this.odd('wrong_type', at, leaf, this.excerpt(at, end))
    return ''
  }

  /** The id of that text. Plain strings go into the pool without becoming a string of the language. */
  text(at: number, end: number, leaf: string): number {
    const { bytes } = this.window
    if (bytes[at] === quote) {
      stringEnd(bytes, at, end)
      if (stringTraits === 0 && (end - at === 2 || (bytes[at + 1]! > 0x20 && bytes[end - 2]! > 0x20))) {
        return this.pools.text(this.window, at + 1, end - 1)
      }
    }
    return this.pools.textOf(this.scalar(at, end, leaf))
  }

  /** The number of a key that is not spelled as in the schema: with escapes, in another case, or unknown (0). */
  looseKey(at: number, end: number): number {
    const text = this.string(at, end, '')
    const number = looseKeyNumber(text)
    const offset = this.window.base + at
    // A member that has to be waited for is looked at again; its key is told once.
    if (number > 0 && keyNames[number] !== text && offset > this.#looseKeyOffset) {
      this.#looseKeyOffset = offset
      this.odd('key_case', at, text)
    }
    return number
  }

  unknownKey(at: number, end: number): void {
    const text = this.string(at, end, '')
    this.odd('unknown_key', at, text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text)
  }
}
