// Provider groups in their usual form: NPIs of ten digits whose check digits hold, perhaps as texts, and an EIN or an NPI in its place.
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
  regFiltered,
  regGroup,
  regGroups,
  regNpi,
  regNpis,
  regFound,
  regTold,
  oddEins,
  repeatedNpis,
  textNpis,
} from './layout'
import { noteEndAt, spaceEnd } from './scan'
import { sortDistinct } from './sort'

const npisAt: i32 = groupAt + 16
const validTin: u32 = 1

/** Longer lists of groups are read by the host. */
export const groupsBytesMax: i32 = 1 << 18
/** The shortest group has so many bytes. */
const groupBytesMin: i32 = 60
/** So many groups are in a list at most. */
export const groupsListedMax: i32 = groupsBytesMax / groupBytesMin

/** The group that was read last: NPIs as they stand there, those of them that are texts, distinct ones; whether its TIN is an NPI. */
let npisRead: i32 = 0
let npiTexts: i32 = 0
let npis: i32 = 0
let tinIsNpi: bool = false

// @ts-ignore: decorator
@inline
function after(at: i32, byte: u32, end: i32): i32 {
  at = spaceEnd(at, end)
  return <u32>load<u8>(at) == byte ? spaceEnd(at + 1, end) : end
}

/** Reads the NPIs of the list at `at`. Answers its end; `end` where one is unusual. */
function readNpis(at: i32, end: i32): i32 {
  npisRead = 0
  npiTexts = 0
  // Some publishers repeat an NPI again and again.
  let before = 0
  let number: u64 = 0
  at = after(at, 0x5b, end)
  while (at + 12 < end && npisRead < groupNpisMax) {
    const isText = load<u8>(at) == 0x22
    if (isText) at++
    if (before == 0 || load<u64>(at) != load<u64>(before) || load<u16>(at + 8) != load<u16>(before + 8)) {
      number = 0
      // The constant is that of the prefix which cards bear before an NPI.
      let sum: u32 = 24
      for (let place = 0; place < 10; place++) {
        const digit = <u32>load<u8>(at + place) - 0x30
        if (digit > 9) return end
        number = number * 10 + digit
        sum += place & 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
      }
      if (number < 1000000000 || sum % 10 != 0) return end
      before = at
    }
    store<u64>(npisAt + npisRead * 8, number)
    npisRead++
    at += 10
    if (isText) {
      if (load<u8>(at) != 0x22) return end
      npiTexts++
      at++
    }
    at = spaceEnd(at, end)
    const byte = <u32>load<u8>(at)
    if (byte == 0x5d) return at + 1
    if (byte != 0x2c) return end
    at = spaceEnd(at + 1, end)
  }
  return end
}

/** Reads the EIN or NPI of the object at `at`, and the name behind it. Answers its end; `end` where anything is unusual. */
function readTin(at: i32, end: i32): i32 {
  at = after(at, 0x7b, end)
  // "type"
  if (at + 32 > end || load<u32>(at) != 0x70797422 || load<u16>(at + 4) != 0x2265) return end
  at = after(at + 6, 0x3a, end)
  // "ein" or "npi"
  tinIsNpi = load<u32>(at) == 0x69706e22
  if (at + 24 > end || (!tinIsNpi && load<u32>(at) != 0x6e696522) || load<u8>(at + 4) != 0x22) return end
  at = after(at + 5, 0x2c, end)
  // "value"
  if (at + 16 > end || load<u32>(at) != 0x6c617622 || load<u16>(at + 4) != 0x6575 || load<u8>(at + 6) != 0x22) return end
  at = after(at + 7, 0x3a, end)
  if (at + 11 > end || load<u8>(at) != 0x22) return end
  const ein = ++at
  if (tinIsNpi && load<u8>(at) == 0x30) return end
  let digits = 0
  let any: u32 = 0
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x2d && digits == 2 && at == ein + 2 && !tinIsNpi) continue
    if (byte - 0x30 > 9) break
    any |= byte - 0x30
    digits++
  }
  if (digits != (tinIsNpi ? 10 : 9) || any == 0 || load<u8>(at) != 0x22) return end
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
  if (at >= end || load<u8>(at) != 0x7d) return 0
  npis = sortDistinct<u64>(npisAt, npisRead)
  return at + 1
}

/** Whether nothing in the group of `at…end`, which is whole, has to be told: its NPIs are numbers and distinct, its TIN is an EIN. */
export function readGroup(at: i32, end: i32): bool {
  store<i32>(regGroup, 0)
  if (usualGroup(at, end) != end || npiTexts > 0 || npis < npisRead || tinIsNpi) return false
  store<i32>(regGroup, npis)
  return true
}

/** The number of the group that `usualGroup` has read; -1 where the host has to tell something of it. */
function groupRead(): i32 {
  const tinType = load<u32>(tinIsNpi ? regNpi : regEin)
  const ein = load<i32>(regGroup + 4)
  const prefix = (<i32>load<u8>(ein) - 0x30) * 10 + <i32>load<u8>(ein + 1) - 0x30
  const isOdd = !tinIsNpi && load<u8>(einPrefixesAt + prefix) == 0
  if (
    tinType == 0 ||
    (isOdd && !isTold(oddEins)) ||
    (npiTexts > 0 && !isTold(textNpis)) ||
    (npis < npisRead && !isTold(repeatedNpis))
  ) return -1
  if (isOdd) einsListed++
  textsListed += npiTexts
  repeatedListed += npisRead - npis
  const name = load<i32>(regGroup + 12)
  store<u32>(groupAt, tinType)
  store<u32>(groupAt + 8, name == 0 ? 0 : textAt(name, load<i32>(regGroup + 16)))
  const einEnd = load<i32>(regGroup + 8)
  if (tinIsNpi || einEnd - ein == 9) store<u32>(groupAt + 4, textAt(ein, einEnd))
  else {
    // 12-3456789
    store<u16>(einAt, load<u16>(ein))
    store<u64>(einAt + 2, load<u64>(ein + 3))
    store<u32>(groupAt + 4, textAt(einAt, einAt + 9))
  }
  store<u32>(groupAt + 12, validTin)
  return groupOf(npis)
}

/** What stood in the list which `readGroups` read last: groups, NPIs, and what is odd among them. */
export let groupsListed: i32 = 0
export let npisListed: i32 = 0
export let einsListed: i32 = 0
export let textsListed: i32 = 0
export let repeatedListed: i32 = 0

// @ts-ignore: decorator
@inline
function isTold(kind: i32): bool {
  return load<i32>(regTold + kind * 4) != 0
}

/** Counts findings of a kind. */
export function found(kind: i32, times: i32): void {
  store<i32>(regFound + kind * 4, load<i32>(regFound + kind * 4) + times)
}

/** Counts that list as published. */
export function publishGroups(): void {
  store<i32>(regGroups, load<i32>(regGroups) + groupsListed)
  store<i32>(regNpis, load<i32>(regNpis) + npisListed)
  found(oddEins, einsListed)
  found(textNpis, textsListed)
  found(repeatedNpis, repeatedListed)
}

/** Reads the list of groups at `at`, which ends before `end`, into ascending words at `membersAt`. Answers its end; -1 where anything is unusual. */
export function readGroups(at: i32, end: i32): i32 {
  groupsListed = 0
  npisListed = 0
  einsListed = 0
  textsListed = 0
  repeatedListed = 0
  if (load<i32>(regFiltered) != 0) return -1
  at = spaceEnd(at + 1, end)
  while (true) {
    if (at >= end || load<u8>(at) != 0x7b || groupsListed == membersMax) return -1
    at = usualGroup(at, end)
    if (at == 0) return -1
    const group = groupRead()
    if (group < 0) return -1
    store<u32>(membersAt + groupsListed * 4, group)
    groupsListed++
    npisListed += npisRead
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
    roomForTexts(groupsListedMax * 2 + 1, groupsBytesMax) &&
    used(groupTinsCount) + groupsListedMax <= bufferRows &&
    used(groupNpisCount) + groupsBytesMax / 11 <= groupNpisRows
  )
}
