// Digests of bytes: 128 bits in two halves.

export const stepA: u64 = 0x9e3779b97f4a7c15
export const stepB: u64 = 0xc2b2ae3d27d4eb4f

/** The digest so far. */
export let a: u64 = 0
export let b: u64 = 0

/** Begins a digest. */
// @ts-ignore: decorator
@inline
export function begin(first: u64, second: u64): void {
  a = first
  b = second
}

/** Stirs the bytes into the digest so far. */
export function stir(at: i32, end: i32): void {
  let x = a
  let y = b
  const length = end - at
  for (; at + 16 <= end; at += 16) {
    x = rotl((x ^ load<u64>(at)) * stepA, 29)
    y = rotl((y ^ load<u64>(at + 8)) * stepB, 31)
  }
  stirLast(x, y, at, end, length)
}

/** Stirs the last, fewer than sixteen bytes, and the two halves into each other. */
export function stirLast(x: u64, y: u64, at: i32, end: i32, length: i32): void {
  const left = end - at
  if (left > 0) {
    const low = load<u64>(at)
    const high = load<u64>(at + 8)
    x = rotl((x ^ (left >= 8 ? low : low & ((<u64>1 << (<u64>left * 8)) - 1))) * stepA, 29)
    y = rotl((y ^ (left > 8 ? high & ((<u64>1 << (<u64>(left - 8) * 8)) - 1) : 0)) * stepB, 31)
  }
  y ^= <u64>length
  x = (x ^ (x >> 32) ^ y) * stepB
  y = (y ^ (y >> 29) ^ x) * stepA
  x = (x ^ (x >> 31) ^ y) * stepA
  y = (y ^ (y >> 33) ^ x) * stepB
  a = x
  b = y
}
