// References, and lists of them, in their usual form: whole numbers below a million.
import { push, rows, used } from './columns'
import { roomForTexts, textAt } from './content'
import {
  bufferRows,
  membersAt,
  membersMax,
  referenceIdsAt,
  referenceIdsCount,
  smallReferencesAt,
} from './layout'
import { sortDistinct } from './sort'
import { spaceEnd } from './scan'

const digitsMax: i32 = 6

/** Whether there is room for another reference. */
export function roomForReference(): bool {
  return used(referenceIdsCount) < bufferRows && roomForTexts(1, digitsMax)
}

/** The reference of the number that stands at `start…end`, which is made where it is new. There must be room. */
export function referenceOf(number: u32, start: i32, end: i32): i32 {
  const place = smallReferencesAt + <i32>number * 4
  const known = load<i32>(place)
  if (known > 0) return known - 1
  const reference = <i32>rows(referenceIdsCount)
  store<i32>(place, reference + 1)
  push<u32>(referenceIdsAt, referenceIdsCount, textAt(start, end))
  return reference
}

/** What `readReferences` read last: how many references, ascending words at `membersAt`, and how many of the list came again. */
export let referencesListed: i32 = 0
export let referencesRepeated: i32 = 0

/** Reads the list at `at`. Answers its end, before `end`; -1 where anything is unusual, or new in a list that may not be whole. */
export function readReferences(at: i32, end: i32, whole: bool): i32 {
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
    if (count == membersMax) return -1
    const numberEnd = at
    byte = digit + 0x30
    if (byte <= 0x20) {
      at = spaceEnd(at, at + 64)
      byte = <u32>load<u8>(at)
    }
    if (byte != 0x2c && byte != 0x5d) return -1
    let reference = load<i32>(smallReferencesAt + <i32>number * 4) - 1
    if (reference < 0) {
      if (!whole || !roomForReference()) return -1
      reference = referenceOf(number, start, numberEnd)
    }
    store<i32>(membersAt + count * 4, reference)
    count++
    if (byte == 0x5d) break
    at++
  }
  // What stands behind the last byte that has come is from before.
  if (at >= end) return -1
  referencesListed = sortDistinct<u32>(membersAt, count)
  referencesRepeated = count - referencesListed
  return at + 1
}
