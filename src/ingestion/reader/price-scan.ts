import { plainAmount, plainAmountEnd } from './decimals.ts'
import { closeObject, colon, incomplete, quote, spaceEnd } from './json.ts'

/** What a quick look at a price found. Places are 0 where there is none in the usual form. */
export interface PriceScan {
  /** Its end, or `incomplete`. */
  end: number
  /** The number of its rate, and the amount. */
  rateAt: number
  rateEnd: number
  amount: number
  /** The text of additional_information, without the quotes, where it is plain. */
  noteAt: number
  noteEnd: number
}

const rateKey = Buffer.from('"negotiated_rate"')
const noteKey = Buffer.from('"additional_information"')

/**
 * Finds the end of the price object at `at`, and its rate and note on the way, without judging the rest:
 * a price whose other bytes were met before needs no more than this.
 */
export function scanPrice(bytes: Uint8Array, at: number, end: number, scan: PriceScan): void {
  scan.rateAt = 0
  scan.noteAt = 0
  scan.end = incomplete
  let depth = 0
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!
    if (byte === quote) {
      const start = index
      index++
      while (index < end && bytes[index] !== quote) index += bytes[index] === 0x5c ? 2 : 1
      if (depth !== 1 || index >= end) continue
      const length = index + 1 - start
      if (length === rateKey.length && scan.rateAt === 0 && isKey(bytes, start, rateKey)) {
        index = rateAfterKey(bytes, index + 1, end, scan) - 1
      } else if (length === noteKey.length && scan.noteAt === 0 && isKey(bytes, start, noteKey)) {
        index = noteAfterKey(bytes, index + 1, end, scan) - 1
      }
    } else if ((byte | 0x20) === 0x7b) {
      depth++
    } else if ((byte | 0x20) === closeObject && --depth === 0) {
      scan.end = index + 1
      return
    }
  }
}

function isKey(bytes: Uint8Array, at: number, key: Buffer): boolean {
  for (let index = key.length - 1; index > 0; index--) if (bytes[at + index] !== key[index]) return false
  return true
}

/** Where the value behind a key begins; `end` where that is not there. */
function valueAt(bytes: Uint8Array, keyEnd: number, end: number): number {
  const at = spaceEnd(bytes, keyEnd, end)
  return at < end && bytes[at] === colon ? spaceEnd(bytes, at + 1, end) : end
}

/** Reads the number after the key, where it has the usual form. Answers where to go on. */
function rateAfterKey(bytes: Uint8Array, keyEnd: number, end: number, scan: PriceScan): number {
  const at = valueAt(bytes, keyEnd, end)
  if (at >= end) return keyEnd
  const inQuotes = bytes[at] === quote
  const start = inQuotes ? at + 1 : at
  const amount = plainAmount(bytes, start, end)
  if (amount < 0 || (inQuotes && bytes[plainAmountEnd] !== quote)) return at
  scan.rateAt = start
  scan.rateEnd = plainAmountEnd
  scan.amount = amount
  return inQuotes ? plainAmountEnd + 1 : plainAmountEnd
}

/** Takes the text after the key, where it is plain: ASCII, no escapes, no white space around it. Answers where to go on. */
function noteAfterKey(bytes: Uint8Array, keyEnd: number, end: number, scan: PriceScan): number {
  const at = valueAt(bytes, keyEnd, end)
  if (at >= end || bytes[at] !== quote) return keyEnd
  let index = at + 1
  while (index < end && isPlain[bytes[index]!] === 1) index++
  const ends = index > at + 1 && index < end && bytes[index] === quote
  if (!ends || bytes[at + 1] === 0x20 || bytes[index - 1] === 0x20) return at
  scan.noteAt = at + 1
  scan.noteEnd = index
  return index + 1
}

const isPlain = new Uint8Array(256).fill(1, 0x20, 0x80)
isPlain[quote] = 0
isPlain[0x5c] = 0
