// Provider groups in their usual form: NPIs of ten digits whose check digits hold, and an EIN.
import { used } from './columns'
import { groupOf, roomForTexts, textAt } from './content'
import {
  bufferRows,
  einAt,
  einPrefixesAt,
  groupAt,
  groupNpisCount,
  groupNpisMax,
  groupNpisRows,
  groupTinsCount,
  membersAt,
  membersMax,
  regEin,
  regEins,
  regEinsTold,
  regFiltered,
  regGroup,
  regGroups,
  regNpis,
} from './layout'
import { noteEndAt, spaceEnd } from './scan'
import { sortDistinct } from './sort'

const npisAt: i32 = groupAt + 16
const validTin: u32 = 1

/** Longer lists of groups are read by the host. */
export const groupsBytesMax: i32 = 1 << 16

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

/** Reads the group at `at`, NPIs ascending. Answers its end, at `end` or before; 0 where anything is unusual, and the host reads it. */
export function usualGroup(at: i32, end: i32): i32 {
  at = after(at, 0x7b, end)
  // "npi": or "tin":
  const npisFirst = load<u32>(at) == 0x69706e22
  if (at + 16 > end || load<u8>(at + 4) != 0x22 || (!npisFirst && load<u32>(at) != 0x6e697422)) return 0
  at = after(at + 5, 0x3a, end)
  at = npisFirst ? readNpis(at, end) : readTin(at, end)
  if (at >= end) return 0
  at = after(at, 0x2c, end)
  if (at + 16 > end || load<u8>(at + 4) != 0x22 || load<u32>(at) != <u32>(npisFirst ? 0x6e697422 : 0x69706e22)) return 0
  at = after(at + 5, 0x3a, end)
  at = npisFirst ? readTin(at, end) : readNpis(at, end)
  if (at >= end) return 0
  at = spaceEnd(at, end)
  if (at >= end || load<u8>(at) != 0x7d || sortDistinct<u64>(npisAt, npis) != npis) return 0
  store<i32>(regGroup, npis)
  return at + 1
}

/** The same for the group of `at…end`, which is whole. */
export function readGroup(at: i32, end: i32): bool {
  return usualGroup(at, end) == end
}

/** The number of the group that `usualGroup` has read; -1 where the host has to tell that nobody has its EIN. */
function groupRead(): i32 {
  const ein = load<i32>(regGroup + 4)
  const prefix = (<i32>load<u8>(ein) - 0x30) * 10 + <i32>load<u8>(ein + 1) - 0x30
  if (load<u8>(einPrefixesAt + prefix) == 0) {
    if (load<i32>(regEinsTold) == 0) return -1
    einsListed++
  }
  const name = load<i32>(regGroup + 12)
  store<u32>(groupAt, load<u32>(regEin))
  store<u32>(groupAt + 8, name == 0 ? 0 : textAt(name, load<i32>(regGroup + 16)))
  if (load<i32>(regGroup + 8) - ein == 9) store<u32>(groupAt + 4, textAt(ein, ein + 9))
  else {
    // 12-3456789
    store<u16>(einAt, load<u16>(ein))
    store<u64>(einAt + 2, load<u64>(ein + 3))
    store<u32>(groupAt + 4, textAt(einAt, einAt + 9))
  }
  store<u32>(groupAt + 12, validTin)
  return groupOf(npis)
}

/** What stood in the list which `readGroups` read last: groups, NPIs, EINs that nobody has. */
export let groupsListed: i32 = 0
export let npisListed: i32 = 0
export let einsListed: i32 = 0

/** Counts that list as published. */
export function publishGroups(): void {
  store<i32>(regGroups, load<i32>(regGroups) + groupsListed)
  store<i32>(regNpis, load<i32>(regNpis) + npisListed)
  store<i32>(regEins, load<i32>(regEins) + einsListed)
}

/** Reads the list of groups at `at`, which ends before `end`, into ascending words at `membersAt`. Answers its end; -1 where anything is unusual. */
export function readGroups(at: i32, end: i32): i32 {
  groupsListed = 0
  npisListed = 0
  einsListed = 0
  if (load<i32>(regEin) == 0 || load<i32>(regFiltered) != 0) return -1
  at = spaceEnd(at + 1, end)
  while (true) {
    if (at >= end || load<u8>(at) != 0x7b || groupsListed == membersMax) return -1
    at = usualGroup(at, end)
    if (at == 0) return -1
    const group = groupRead()
    if (group < 0) return -1
    store<u32>(membersAt + groupsListed * 4, group)
    groupsListed++
    npisListed += npis
    at = spaceEnd(at, end)
    if (at >= end) return -1
    const byte = <u32>load<u8>(at)
    if (byte == 0x5d) return sortDistinct<u32>(membersAt, groupsListed) == groupsListed ? at + 1 : -1
    if (byte != 0x2c) return -1
    at = spaceEnd(at + 1, end)
  }
}

/** Whether there is room for all that a list of groups of up to `groupsBytesMax` can hold. */
export function roomForGroups(): bool {
  return (
    roomForTexts(groupsBytesMax / 20, groupsBytesMax) &&
    used(groupTinsCount) + groupsBytesMax / 32 <= bufferRows &&
    used(groupNpisCount) + groupsBytesMax / 11 <= groupNpisRows
  )
}
