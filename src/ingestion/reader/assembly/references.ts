// Lists of references in their usual form: whole numbers below a million that were met before.
import { smallReferencesAt } from './layout'
import { sortDistinct } from './sort'
import { spaceEnd } from './scan'

const digitsMax: i32 = 6
const membersSortedMax: i32 = 4096

/** Reads the list at `at`, which is whole, into ascending words at `into`. Answers how many; -1 where anything is unusual. */
export function readReferences(at: i32, into: i32): i32 {
  let count = 0
  at++
  while (true) {
    let byte = <u32>load<u8>(at)
    if (byte <= 0x20) {
      at = spaceEnd(at, at + 64)
      byte = <u32>load<u8>(at)
    }
    let digit = byte - 0x30
    if (digit > 9) return -1
    let number: u32 = 0
    const start = at
    do {
      number = number * 10 + digit
      digit = <u32>load<u8>(++at) - 0x30
    } while (digit <= 9)
    const digits = at - start
    if (digits > digitsMax || (byte == 0x30 && digits > 1)) return -1
    const reference = load<u32>(smallReferencesAt + <i32>number * 4)
    if (reference == 0) return -1
    store<u32>(into + count * 4, reference - 1)
    count++
    byte = digit + 0x30
    if (byte <= 0x20) {
      at = spaceEnd(at, at + 64)
      byte = <u32>load<u8>(at)
    }
    if (byte == 0x5d) break
    if (byte != 0x2c) return -1
    at++
  }
  return count <= membersSortedMax && sortDistinct<u32>(into, count) ? count : -1
}
