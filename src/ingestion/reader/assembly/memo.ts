// Digests of raw bytes, and the tables of what they meant.
import { entryBytes, regDigest, regFree } from './layout'

const stepA: u64 = 0x9e3779b97f4a7c15
const stepB: u64 = 0xc2b2ae3d27d4eb4f

let a: u64 = 0
let b: u64 = 0

/** Stirs the bytes into the digest so far. */
function stir(at: i32, end: i32): void {
  let x = a
  let y = b
  const length = end - at
  for (; at + 16 <= end; at += 16) {
    x = (x ^ load<u64>(at)) * stepA
    x = rotl(x, 29) + y
    y = (y ^ load<u64>(at + 8)) * stepB
    y = rotl(y, 31) + x
  }
  const left = end - at
  if (left > 0) {
    const low = load<u64>(at)
    const high = load<u64>(at + 8)
    x = (x ^ (left >= 8 ? low : low & ((<u64>1 << (<u64>left * 8)) - 1))) * stepA
    x = rotl(x, 29) + y
    y = (y ^ (left > 8 ? high & ((<u64>1 << (<u64>(left - 8) * 8)) - 1) : 0)) * stepB
    y = rotl(y, 31) + x
  }
  y ^= <u64>length
  x = (x ^ (x >> 32) ^ y) * stepB
  y = (y ^ (y >> 29) ^ x) * stepA
  x = (x ^ (x >> 31) ^ y) * stepA
  y = (y ^ (y >> 33) ^ x) * stepB
  a = x
  b = y
}

/** The entry of the digest in the table, its hits counted; -1 where it is new. Leaves digest and free place to the host. */
function look(table: i32, slots: i32): i32 {
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
  a = stepB
  b = stepA
  stir(at, rateAt)
  stir(rateEnd, end)
  return look(table, slots)
}

export function findNotedPrice(at: i32, hole: i32, holeEnd: i32, other: i32, otherEnd: i32, end: i32, table: i32, slots: i32): i32 {
  a = stepA
  b = stepA
  stir(at, hole)
  stir(holeEnd, other)
  stir(otherEnd, end)
  return look(table, slots)
}

export function findPiece(at: i32, end: i32, kind: i32, table: i32, slots: i32): i32 {
  a = stepA ^ <u64>kind
  b = stepB
  stir(at, end)
  return look(table, slots)
}
