import { canonicalDecimal } from './decimals.ts'
import { incomplete, listEnd, quote, scalarEnd, valueEnd } from './json.ts'
import type { Words } from './word-list.ts'
import type { Reading } from './reading.ts'

/** The reference that the scalar at `at` names; -1 where it names none. Its end is `end`. */
export function referenceAt(reading: Reading, at: number, end: number, leaf: string): number {
  const { bytes } = reading.window
  let index = at
  while (index < end && bytes[index]! >= 0x30 && bytes[index]! <= 0x39) index++
  if (index === end) {
    return reading.pools.references.numbered(reading.window, at, end)
  }
  const byte = bytes[at]!
  if (byte !== quote && byte !== 0x2d && (byte < 0x30 || byte > 0x39)) {
    reading.odd(byte === 0x6e ? 'null_in_list' : 'wrong_type', at, leaf)
    return -1
  }
  const text = byte === quote ? reading.string(at, end, leaf).trim() : bytes.toString('latin1', at, end)
  if (text === '') {
    reading.odd('empty_in_list', at, leaf)
    return -1
  }
  const decimal = canonicalDecimal(text)
  if (decimal === undefined) reading.odd('reference_id_invalid', at, leaf, reading.excerpt(at, end))
  else if (byte === quote) reading.odd('number_as_text', at, leaf)
  return reading.pools.references.of(decimal ?? text)
}

/** Takes the reference at `at` where it is a small whole number, as nearly all are, and was met before. Answers its end; -1 otherwise. */
export function takeKnownReference(reading: Reading, at: number, end: number, into: Words): number {
  const { bytes } = reading.window
  let number = 0
  let after = at
  for (; after < end; after++) {
    const digit = bytes[after]! - 0x30
    if (digit < 0 || digit > 9) break
    number = number * 10 + digit
  }
  const ends = after < end && (bytes[after] === 0x2c || bytes[after] === 0x5d)
  if (!ends || after === at || after - at > 6 || (bytes[at] === 0x30 && after > at + 1)) return -1
  const known = reading.pools.references.small(number)
  if (known < 0) return -1
  into.push(known)
  return after
}

/** Reads a list of references at `at` into `into`. Answers its end. */
export function readReferenceList(reading: Reading, at: number, end: number, into: Words): number {
  const { bytes } = reading.window
  return listEnd(bytes, at, end, (value, index) => {
    let after = takeKnownReference(reading, value, end, into)
    if (after >= 0) return after
    after = isBracket(bytes[value]!) ? valueEnd(bytes, value, end, 5) : scalarEnd(bytes, value, end)
    if (after === incomplete) return incomplete
    const reference = referenceAt(reading, value, after, `provider_references[${index}]`)
    if (reference >= 0) into.push(reference)
    return after
  })
}

const isBracket = (byte: number) => (byte | 0x20) === 0x7b
