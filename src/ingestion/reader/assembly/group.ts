// Provider groups in their usual form: NPIs of ten digits whose check digits hold, and an EIN.
import { groupAt, groupNpisMax, regGroup } from './layout'
import { noteEndAt, spaceEnd } from './scan'
import { sortDistinct } from './sort'

const npisAt: i32 = groupAt + 16

/** How many NPIs there are, and where the list ended. */
let npis: i32 = 0

// @ts-ignore: decorator
@inline
function after(at: i32, byte: u32, end: i32): i32 {
  at = spaceEnd(at, end)
  return <u32>load<u8>(at) == byte ? spaceEnd(at + 1, end) : end
}

/** Reads the NPIs of the list at `at`. Answers its end; `end` where one is unusual. */
function readNpis(at: i32, end: i32): i32 {
  npis = 0
  at = after(at, 0x5b, end)
  while (at + 12 < end && npis < groupNpisMax) {
    let number: u64 = 0
    // The constant is that of the prefix which cards bear before an NPI.
    let sum: u32 = 24
    for (let place = 0; place < 10; place++) {
      const digit = <u32>load<u8>(at + place) - 0x30
      if (digit > 9) return end
      number = number * 10 + digit
      sum += place & 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
    }
    if (number < 1000000000 || sum % 10 != 0) return end
    store<u64>(npisAt + npis * 8, number)
    npis++
    at = spaceEnd(at + 10, end)
    const byte = <u32>load<u8>(at)
    if (byte == 0x5d) return at + 1
    if (byte != 0x2c) return end
    at = spaceEnd(at + 1, end)
  }
  return end
}

/** Reads the EIN of the object at `at`, and the name behind it. Answers its end; `end` where anything is unusual. */
function readTin(at: i32, end: i32): i32 {
  at = after(at, 0x7b, end)
  // "type"
  if (at + 32 > end || load<u32>(at) != 0x70797422 || load<u16>(at + 4) != 0x2265) return end
  at = after(at + 6, 0x3a, end)
  // "ein"
  if (at + 24 > end || load<u32>(at) != 0x6e696522 || load<u8>(at + 4) != 0x22) return end
  at = after(at + 5, 0x2c, end)
  // "value"
  if (at + 16 > end || load<u32>(at) != 0x6c617622 || load<u16>(at + 4) != 0x6575 || load<u8>(at + 6) != 0x22) return end
  at = after(at + 7, 0x3a, end)
  if (at + 11 > end || load<u8>(at) != 0x22) return end
  const ein = ++at
  let digits = 0
  let any: u32 = 0
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x2d && digits == 2 && at == ein + 2) continue
    if (byte - 0x30 > 9) break
    any |= byte - 0x30
    digits++
  }
  if (digits != 9 || any == 0 || load<u8>(at) != 0x22) return end
  store<i32>(regGroup + 4, ein)
  store<i32>(regGroup + 8, at)
  store<i32>(regGroup + 12, 0)
  at = spaceEnd(at + 1, end)
  if (load<u8>(at) == 0x7d) return at + 1
  at = after(at, 0x2c, end)
  // "business_name"
  if (at + 20 > end || load<u64>(at) != 0x73656e6973756222 || load<u32>(at + 8) != 0x616e5f73 || load<u16>(at + 12) != 0x656d || load<u8>(at + 14) != 0x22) return end
  at = after(at + 15, 0x3a, end)
  if (at >= end || load<u8>(at) != 0x22) return end
  const nameEnd = noteEndAt(at + 1, end)
  if (nameEnd < 0) return end
  store<i32>(regGroup + 12, at + 1)
  store<i32>(regGroup + 16, nameEnd)
  at = spaceEnd(nameEnd + 1, end)
  return load<u8>(at) == 0x7d ? at + 1 : end
}

/** Reads the group of `at…end`, NPIs ascending. False where anything is unusual; the host reads it then. */
export function readGroup(at: i32, end: i32): bool {
  at = after(at, 0x7b, end)
  // "npi": or "tin":
  const npisFirst = load<u32>(at) == 0x69706e22
  if (at + 16 > end || load<u8>(at + 4) != 0x22 || (!npisFirst && load<u32>(at) != 0x6e697422)) return false
  at = after(at + 5, 0x3a, end)
  at = npisFirst ? readNpis(at, end) : readTin(at, end)
  if (at >= end) return false
  at = after(at, 0x2c, end)
  if (at + 16 > end || load<u8>(at + 4) != 0x22 || load<u32>(at) != <u32>(npisFirst ? 0x6e697422 : 0x69706e22)) return false
  at = after(at + 5, 0x3a, end)
  at = npisFirst ? readTin(at, end) : readNpis(at, end)
  if (at >= end) return false
  at = spaceEnd(at, end)
  if (at + 1 != end || load<u8>(at) != 0x7d || !sortDistinct<u64>(npisAt, npis)) return false
  store<i32>(regGroup, npis)
  return true
}
