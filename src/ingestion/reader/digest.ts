/** The 128-bit digest that `digestBytes` made last, as four words. Content with equal digests counts as equal. */
export let digest0 = 0
export let digest1 = 0
export let digest2 = 0
export let digest3 = 0

const step0 = 0x9e3779b1 | 0
const step1 = 0x85ebca77 | 0
const step2 = 0xc2b2ae3d | 0
const step3 = 0x27d4eb2f | 0

/**
 * Digests `bytes[start…end)` in sixteen-byte blocks of four words, each lane stirred into its neighbour. For finding equal content
 * within one file, not for security: whoever writes a file can only confuse that file.
 */
export function digestBytes(view: DataView, start: number, end: number, seed = 0): void {
  let a = seed ^ step0
  let b = Math.imul(seed, step1)
  let c = step2
  let d = step3
  let at = start
  for (; at + 16 <= end; at += 16) {
    a = Math.imul(a ^ view.getInt32(at, true), step0)
    a = ((a << 15) | (a >>> 17)) + b
    b = Math.imul(b ^ view.getInt32(at + 4, true), step1)
    b = ((b << 13) | (b >>> 19)) + c
    c = Math.imul(c ^ view.getInt32(at + 8, true), step2)
    c = ((c << 17) | (c >>> 15)) + d
    d = Math.imul(d ^ view.getInt32(at + 12, true), step3)
    d = ((d << 11) | (d >>> 21)) + a
  }
  if (at < end) {
    let w0 = 0
    let w1 = 0
    let w2 = 0
    let w3 = 0
    const left = end - at
    if (left >= 4) {
      w0 = view.getInt32(at, true)
      if (left >= 8) {
        w1 = view.getInt32(at + 4, true)
        if (left >= 12) {
          w2 = view.getInt32(at + 8, true)
          w3 = lastWord(view, at + 12, end)
        } else w2 = lastWord(view, at + 8, end)
      } else w1 = lastWord(view, at + 4, end)
    } else w0 = lastWord(view, at, end)
    a = Math.imul(a ^ w0, step0)
    a = ((a << 15) | (a >>> 17)) + b
    b = Math.imul(b ^ w1, step1)
    b = ((b << 13) | (b >>> 19)) + c
    c = Math.imul(c ^ w2, step2)
    c = ((c << 17) | (c >>> 15)) + d
    d = Math.imul(d ^ w3, step3)
    d = ((d << 11) | (d >>> 21)) + a
  }
  d = (d ^ (end - start)) | 0
  for (let round = 0; round < 3; round++) {
    a = Math.imul(a ^ (a >>> 15) ^ d, step1)
    b = Math.imul(b ^ (b >>> 13) ^ a, step2)
    c = Math.imul(c ^ (c >>> 16) ^ b, step3)
    d = Math.imul(d ^ (d >>> 14) ^ c, step0)
  }
  digest0 = a
  digest1 = b
  digest2 = c
  digest3 = d
}

function lastWord(view: DataView, at: number, end: number): number {
  let word = 0
  for (let shift = 0; at < end; at++, shift += 8) word |= view.getUint8(at) << shift
  return word
}
