// Tables of what raw bytes meant.
import { a, b, begin, stepA, stepB, stir, stirLast } from './digest'
import { entryBytes, regDigest, regFree } from './layout'
import { backslashes, bracketsEnd, fold, folded, insideOf, quotes } from './scan'

/** Digests the list or object at `at` while looking for its end. Answers the end; -1 where it is not whole. */
export function piece(start: i32, end: i32, kind: i32): i32 {
  let x = stepA ^ <u64>kind
  let y = stepB
  let at = start
  let depth = 0
  let inString: u32 = 0
  while (at < end) {
    const block = v128.load(at)
    const marks = i8x16.eq(block, quotes)
    const brackets = i8x16.eq(v128.or(block, fold), folded)
    const escapes = i8x16.eq(block, backslashes)
    if (v128.any_true(v128.or(v128.or(marks, brackets), escapes))) {
      // With escapes in it, a piece is measured first and digested then.
      if (v128.any_true(escapes)) {
        const close = bracketsEnd(start, end)
        if (close >= 0) digestPiece(start, close, kind)
        return close
      }
      let bits = <u32>i8x16.bitmask(brackets)
      const quoted = <u32>i8x16.bitmask(marks)
      bits &= ~insideOf(quoted, inString)
      inString ^= popcnt(quoted) & 1
      while (bits != 0) {
        const index = at + <i32>ctz(bits)
        if (index >= end) return -1
        const byte = <u32>load<u8>(index) | 0x20
        if (byte == 0x7b) depth++
        else if (byte == 0x7d) {
          if (--depth == 0) {
            if (index + 1 == at + 16) {
              x = rotl((x ^ load<u64>(at)) * stepA, 29)
              y = rotl((y ^ load<u64>(at + 8)) * stepB, 31)
              at += 16
            }
            stirLast(x, y, at, index + 1, index + 1 - start)
            return index + 1
          }
        }
        bits &= bits - 1
      }
    }
    x = rotl((x ^ load<u64>(at)) * stepA, 29)
    y = rotl((y ^ load<u64>(at + 8)) * stepB, 31)
    at += 16
  }
  return -1
}

/** The entry of the digest in the table, its hits counted; -1 where it is new. Leaves digest and free place to the host. */
export function look(table: i32, slots: i32): i32 {
  const bytes = slots * entryBytes
  let slot = (<i32>a & (slots - 1)) * entryBytes
  while (true) {
    const entry = table + slot
    const first = load<u64>(entry)
    if (first == a && load<u64>(entry + 8) == b) {
      store<u32>(entry + 28, load<u32>(entry + 28) + 1)
      return entry
    }
    if (first == 0 && load<u64>(entry + 8) == 0) {
      store<u64>(regDigest, a)
      store<u64>(regDigest + 8, b)
      store<i32>(regFree, slot)
      return -1
    }
    slot += entryBytes
    if (slot == bytes) slot = 0
  }
}

export function findPrice(at: i32, rateAt: i32, rateEnd: i32, end: i32, table: i32, slots: i32): i32 {
  begin(stepB, stepA)
  stir(at, rateAt)
  stir(rateEnd, end)
  return look(table, slots)
}

export function findNotedPrice(at: i32, hole: i32, holeEnd: i32, other: i32, otherEnd: i32, end: i32, table: i32, slots: i32): i32 {
  begin(stepA, stepA)
  stir(at, hole)
  stir(holeEnd, other)
  stir(otherEnd, end)
  return look(table, slots)
}

function digestPiece(at: i32, end: i32, kind: i32): void {
  begin(stepA ^ <u64>kind, stepB)
  stir(at, end)
}

export function findPiece(at: i32, end: i32, kind: i32, table: i32, slots: i32): i32 {
  digestPiece(at, end, kind)
  return look(table, slots)
}
