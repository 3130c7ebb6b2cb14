// Passing over bytes sixteen at a time.
import { regAmount, regScanned, regSkip } from './layout'

export const quotes: v128 = i8x16.splat(0x22)
export const backslashes: v128 = i8x16.splat(0x5c)
/** All four brackets, and a few letters that only stand in strings, become `folded` under `fold`. */
export const fold: v128 = i8x16.splat(0x26)
export const folded: v128 = i8x16.splat(0x7f)

/** Of sixteen bytes, those inside strings: given where quotes stand, and whether a string is open before them. */
// @ts-ignore: decorator
@inline
export function insideOf(marks: u32, inString: u32): u32 {
  let inside = marks
  inside ^= inside << 1
  inside ^= inside << 2
  inside ^= inside << 4
  inside ^= inside << 8
  return inString ? ~inside : inside
}

/** The first byte that is no white space. */
// @ts-ignore: decorator
@inline
export function spaceEnd(at: i32, end: i32): i32 {
  while (at < end) {
    const byte = <u32>load<u8>(at)
    if (byte > 0x20 || (byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09)) break
    at++
  }
  return at
}

/** The end of the list or object at `at`, by brackets and quotes alone; -1 where it is not whole. */
export function bracketsEnd(at: i32, end: i32): i32 {
  let depth = 0
  let inString: u32 = 0
  while (at < end) {
    const block = v128.load(at)
    const escapes = i8x16.eq(block, backslashes)
    if (v128.any_true(escapes)) {
      // Byte by byte to behind the escape.
      const last = min(at + 16, end)
      while (at < last) {
        const byte = <u32>load<u8>(at)
        if (inString) {
          if (byte == 0x5c) at++
          else if (byte == 0x22) inString = 0
        } else if (byte == 0x22) inString = 1
        else if ((byte | 0x20) == 0x7b) depth++
        else if ((byte | 0x20) == 0x7d) {
          if (--depth == 0) return at + 1
        }
        at++
      }
      continue
    }
    const quoted = i8x16.eq(block, quotes)
    const bracketed = i8x16.eq(v128.or(block, fold), folded)
    if (!v128.any_true(v128.or(quoted, bracketed))) {
      at += 16
      continue
    }
    const marks = <u32>i8x16.bitmask(quoted)
    let brackets = <u32>i8x16.bitmask(bracketed) & ~insideOf(marks, inString)
    inString ^= popcnt(marks) & 1
    while (brackets != 0) {
      const index = at + <i32>ctz(brackets)
      if (index >= end) return -1
      const byte = <u32>load<u8>(index)
      if ((byte | 0x20) == 0x7b) depth++
      else if ((byte | 0x20) == 0x7d) {
        if (--depth == 0) return index + 1
      }
      brackets &= brackets - 1
    }
    at += 16
  }
  return -1
}

/** Goes on passing over a list or object, as far as it has come; its state is in registers. Answers where it stopped. */
export function skipOn(at: i32, end: i32): i32 {
  let depth = load<i32>(regSkip)
  let inString = load<u32>(regSkip + 4)
  while (at < end) {
    if (at + 16 <= end) {
      const block = v128.load(at)
      const quoted = i8x16.eq(block, quotes)
      const bracketed = i8x16.eq(v128.or(block, fold), folded)
      const escapes = i8x16.eq(block, backslashes)
      if (!v128.any_true(v128.or(v128.or(quoted, bracketed), escapes))) {
        at += 16
        continue
      }
      if (!v128.any_true(escapes)) {
        const marks = <u32>i8x16.bitmask(quoted)
        let brackets = <u32>i8x16.bitmask(bracketed) & ~insideOf(marks, inString)
        let after = 0
        while (brackets != 0 && after == 0) {
          const index = at + <i32>ctz(brackets)
          const byte = <u32>load<u8>(index) | 0x20
          if (byte == 0x7b) depth++
          else if (byte == 0x7d && --depth == 0) after = index + 1
          brackets &= brackets - 1
        }
        if (after > 0) {
          at = after
          break
        }
        inString ^= popcnt(marks) & 1
        at += 16
        continue
      }
    }
    const byte = <u32>load<u8>(at)
    if (inString) {
      if (byte == 0x5c) {
        // What is escaped must be there.
        if (at + 1 >= end) break
        at++
      } else if (byte == 0x22) inString = 0
    } else if (byte == 0x22) inString = 1
    else if ((byte | 0x20) == 0x7b) depth++
    else if ((byte | 0x20) == 0x7d && --depth == 0) {
      at++
      break
    }
    at++
  }
  store<i32>(regSkip, depth)
  store<u32>(regSkip + 4, inString)
  return at
}

/** Where the key "negotiated_rate" begins at or after `at`; -1 where it does not come before `end`. */
export function rateKey(at: i32, end: i32): i32 {
  while (at < end) {
    let marks = <u32>i8x16.bitmask(i8x16.eq(v128.load(at), quotes))
    while (marks != 0) {
      const index = at + <i32>ctz(marks)
      // "negotia ted_rate "
      if (load<u64>(index) == 0x6169746f67656e22 && load<u64>(index + 8) == 0x657461725f646574 && load<u8>(index + 16) == 0x22) {
        return index + 17 <= end ? index : -1
      }
      marks &= marks - 1
    }
    at += 16
  }
  return -1
}

/** Where the number ended that `plainAmount` read last. */
export let amountEnd: i32 = 0

/** The amount of a number in its usual form, as the host's `plainAmount`; -1 for any other. */
export function plainAmount(at: i32, end: i32): i64 {
  let index = at
  let amount: i64 = 0
  let byte: u32 = 0
  const wholeMax = min(at + 12, end)
  for (; index < wholeMax; index++) {
    byte = <u32>load<u8>(index) - 0x30
    if (byte > 9) break
    amount = amount * 10 + byte
  }
  const digits = index - at
  if (digits == 0 || digits > 11 || index >= end || (digits > 1 && load<u8>(at) == 0x30)) return -1
  let next = <u32>load<u8>(index)
  if (next != 0x2e) {
    if ((next | 0x20) == 0x65) return -1
    amountEnd = index
    return amount * 10000
  }
  const point = index++
  const fractionMax = min(point + 6, end)
  for (; index < fractionMax; index++) {
    byte = <u32>load<u8>(index) - 0x30
    if (byte > 9) break
    amount = amount * 10 + byte
  }
  const decimals = index - point - 1
  if (decimals == 0 || decimals > 4 || index >= end) return -1
  next = <u32>load<u8>(index)
  if ((next | 0x20) == 0x65) return -1
  amountEnd = index
  if (decimals == 2) return amount * 100
  if (decimals == 1) return amount * 1000
  return decimals == 3 ? amount * 10 : amount
}

/** The end of the plain text from `at` on: where a quote, an escape, a control character or a byte beyond ASCII stands. */
export function plainEnd(at: i32, end: i32): i32 {
  const low = i8x16.splat(0x20)
  while (at < end) {
    const block = v128.load(at)
    // As signed bytes, those beyond ASCII are below 0x20 too.
    const stops = v128.or(v128.or(i8x16.eq(block, quotes), i8x16.eq(block, backslashes)), i8x16.lt_s(block, low))
    if (v128.any_true(stops)) return at + <i32>ctz(i8x16.bitmask(stops))
    at += 16
  }
  return end
}

/** Where the key "additional_information" begins at or after `at`; -1 where it does not come before `end`. */
export function noteKey(at: i32, end: i32): i32 {
  while (at < end) {
    let marks = <u32>i8x16.bitmask(i8x16.eq(v128.load(at), quotes))
    while (marks != 0) {
      const index = at + <i32>ctz(marks)
      // "additio nal_info rmation"
      if (load<u64>(index) == 0x6f69746964646122 && load<u64>(index + 8) == 0x6f666e695f6c616e && load<u64>(index + 16) == 0x226e6f6974616d72) {
        return index + 24 <= end ? index : -1
      }
      marks &= marks - 1
    }
    at += 16
  }
  return -1
}

/** Where the value behind a key begins; `end` where that is not there. */
export function valueAt(keyEnd: i32, end: i32): i32 {
  const at = spaceEnd(keyEnd, end)
  return at < end && load<u8>(at) == 0x3a ? spaceEnd(at + 1, end) : end
}

/** The end of the note whose text begins at `text`, where it is plain and without blanks around it; -1 otherwise. */
export function noteEndAt(text: i32, end: i32): i32 {
  const textEnd = plainEnd(text, end)
  const plain = textEnd > text && textEnd < end && load<u8>(textEnd) == 0x22
  return plain && load<u8>(text) != 0x20 && load<u8>(textEnd - 1) != 0x20 ? textEnd : -1
}

/** A quick look at the price at `at`, as the host's `scanPrice`: answers its end, and leaves rate and note in registers. */
export function scanPrice(at: i32, end: i32): i32 {
  store<i32>(regScanned, 0)
  store<i32>(regScanned + 8, 0)
  const close = bracketsEnd(at, end)
  if (close < 0) return -1
  const rate = rateKey(at + 1, close)
  if (rate >= 0) {
    const value = valueAt(rate + 17, close)
    const inQuotes = value < close && load<u8>(value) == 0x22
    const number = inQuotes ? value + 1 : value
    const amount = plainAmount(number, close)
    if (amount >= 0 && (!inQuotes || load<u8>(amountEnd) == 0x22)) {
      store<i32>(regScanned, number)
      store<i32>(regScanned + 4, amountEnd)
      store<f64>(regAmount, <f64>amount)
    }
  }
  const note = noteKey(at + 1, close)
  if (note >= 0) {
    const value = valueAt(note + 24, close)
    if (value < close && load<u8>(value) == 0x22) {
      const text = value + 1
      const textEnd = noteEndAt(text, close)
      if (textEnd >= 0) {
        store<i32>(regScanned + 8, text)
        store<i32>(regScanned + 12, textEnd)
      }
    }
  }
  return close
}
