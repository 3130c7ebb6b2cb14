// Definitions in provider_references in their usual form: a small whole number, groups, and the networks of the one before.
import { push, pushAll, rows, used } from './columns'
import { groupsBytesMax, groupsListed, groupsListedMax, publishGroups, readGroups, roomForGroups } from './group'
import {
  bufferRows,
  definedGroupsAt,
  definedGroupsCount,
  definedGroupsEndsAt,
  definedGroupsEndsCount,
  definedLocationsAt,
  definedLocationsCount,
  definedNetworksAt,
  definedNetworksCount,
  definedOffsetsAt,
  definedOffsetsCount,
  definedReferencesAt,
  definedReferencesCount,
  flaggedReferences,
  flaggedReferencesAt,
  membersAt,
  networksAt,
  regBase,
  regDefinitions,
  regFull,
  regNetworks,
  windowAt,
} from './layout'
import { referenceOf, roomForReference } from './references'
import { bracketsEnd, spaceEnd, valueAt } from './scan'

const digitsMax: i32 = 6
const definedReference: u32 = 1

/** The reference that `readNumber` read last. */
let reference: i32 = 0

/** Reads the provider_group_id at `at`. Answers its end; -1 where it is unusual. */
function readNumber(at: i32, end: i32): i32 {
  const start = at
  let number = 0
  for (; at < end; at++) {
    const digit = <u32>load<u8>(at) - 0x30
    if (digit > 9) break
    if (at - start == digitsMax) return -1
    number = number * 10 + <i32>digit
  }
  const byte = <u32>load<u8>(at)
  const ends = byte == 0x2c || byte == 0x7d || byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  if (at == start || !ends || (load<u8>(start) == 0x30 && at > start + 1)) return -1
  reference = referenceOf(number, start, at)
  return reference < flaggedReferences ? at : -1
}

/** The end of the list of networks at `at` where it is the one that the host read last; -1 otherwise. */
function knownNetworks(at: i32, end: i32): i32 {
  const bytes = load<i32>(regNetworks)
  if (bytes == 0 || at + bytes > end) return -1
  for (let index = 0; index < bytes; index++) {
    if (load<u8>(at + index) != load<u8>(networksAt + index)) return -1
  }
  return at + bytes
}

/** Reads the definition whose `{` stands at `at`. Answers its end; -1 where it is unusual or not whole, and the host reads it. */
export function definitionEnd(at: i32, end: i32): i32 {
  const close = bracketsEnd(at, min(end, at + groupsBytesMax))
  if (close < 0) return -1
  if (!roomForGroups() || used(definedOffsetsCount) == bufferRows || !roomForReference() || used(definedGroupsCount) + groupsListedMax > bufferRows) {
    store<i32>(regFull, 1)
    return -1
  }
  let seen = 0
  let networks: u32 = 0
  let next = spaceEnd(at + 1, close)
  while (true) {
    if (load<u8>(next) != 0x22) return -1
    const head = load<u64>(next + 1)
    const middle = load<u64>(next + 9)
    let bit = 0
    // "provider" "_group_i" d"
    if (head == 0x72656469766f7270 && middle == 0x695f70756f72675f && load<u16>(next + 17) == 0x2264) {
      bit = 1
      next = readNumber(valueAt(next + 19, close), close)
      // "provider" "_groups""
    } else if (head == 0x72656469766f7270 && middle == 0x227370756f72675f) {
      bit = 2
      const list = valueAt(next + 17, close)
      next = load<u8>(list) == 0x5b ? readGroups(list, close) : -1
      // "network_" name"
    } else if (head == 0x5f6b726f7774656e && load<u32>(next + 9) == 0x656d616e && load<u8>(next + 13) == 0x22) {
      bit = 4
      next = knownNetworks(valueAt(next + 14, close), close)
      networks = load<u32>(regNetworks + 4)
    }
    if (bit == 0 || (seen & bit) != 0 || next < 0) return -1
    seen |= bit
    next = spaceEnd(next, close)
    const byte = <u32>load<u8>(next)
    if (byte == 0x7d && next + 1 == close) break
    if (byte != 0x2c) return -1
    next = spaceEnd(next + 1, close)
  }
  if ((seen & 3) != 3) return -1
  const flags = flaggedReferencesAt + reference
  if ((<u32>load<u8>(flags) & definedReference) != 0) return -1
  store<u8>(flags, <u32>load<u8>(flags) | definedReference)
  push<u32>(definedReferencesAt, definedReferencesCount, reference)
  pushAll<u32>(definedGroupsAt, definedGroupsCount, membersAt, groupsListed)
  push<i64>(definedGroupsEndsAt, definedGroupsEndsCount, rows(definedGroupsCount))
  push<u32>(definedNetworksAt, definedNetworksCount, networks)
  push<u32>(definedLocationsAt, definedLocationsCount, 0)
  push<i64>(definedOffsetsAt, definedOffsetsCount, <i64>load<f64>(regBase) + <i64>(at - windowAt))
  publishGroups()
  store<i32>(regDefinitions, load<i32>(regDefinitions) + 1)
  return close
}
