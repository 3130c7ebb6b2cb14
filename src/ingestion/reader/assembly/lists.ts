// Lists of references or groups in a rate: known by their bytes, or read where they are usual.
import { roomForSet, setOf } from './content'
import {
  einsListed,
  found,
  groupsBytesMax,
  groupsListed,
  groupsListedMax,
  npisListed,
  publishGroups,
  readGroups,
  repeatedListed,
  roomForGroups,
  textsListed,
} from './group'
import {
  flaggedReferences,
  listMemoAt,
  membersAt,
  newListBytes,
  newListsAt,
  newListsMax,
  regDigest,
  regFiltered,
  regFree,
  regFull,
  regListSlots,
  regListsLeft,
  regListsTaken,
  regNewLists,
  regTold,
  findingKinds,
  oddEins,
  repeatedNpis,
  repeatedReferences,
  textNpis,
} from './layout'
import { look, piece } from './memo'
import { readReferences, referencesListed, referencesRepeated } from './references'

export const groupsPiece: i32 = 2
export const referencesPiece: i32 = 3
const listBytesMax: i32 = 1 << 20

/** Looks the list at `at` up, or reads it. Answers its end, its set in the register; -1 where the host has to read it. */
export function listEnd(at: i32, end: i32, kind: i32, register: i32): i32 {
  if (kind == referencesPiece && inVain && !isProbe(at)) return newReferences(at, end, register, false)
  const close = piece(at, min(end, at + listBytesMax), kind)
  if (close < 0) return -1
  const entry = look(listMemoAt, load<i32>(regListSlots))
  judge(entry >= 0)
  if (entry >= 0) {
    store<u32>(register, load<u32>(entry + 16))
    return close
  }
  if (load<i32>(regFiltered) != 0) return -1
  if (load<i32>(regListsLeft) == 0 || load<i32>(regNewLists) == newListsMax) {
    store<i32>(regFull, 1)
    return -1
  }
  return kind == referencesPiece ? newReferences(at, close, register, true) : newGroups(at, close, register)
}

// Where lists hardly repeat, looking them up costs more than reading them. Some, told by their bytes, are looked up all the same,
// so that it is seen when they begin to repeat.
const judgedEvery: i32 = 256
const hitsFew: i32 = 16
let inVain: bool = false
let judged: i32 = 0
let hits: i32 = 0

// @ts-ignore: decorator
@inline
function isProbe(at: i32): bool {
  return (load<u64>(at + 1) * 0x9e3779b97f4a7c15) >> 60 == 0
}

// @ts-ignore: decorator
@inline
function judge(hit: bool): void {
  if (hit) hits++
  if (++judged < judgedEvery) return
  inVain = hits < hitsFew
  judged = 0
  hits = 0
}

/** Remembers the list that was looked up last. */
function remember(set: u32): i32 {
  const entry = listMemoAt + load<i32>(regFree)
  v128.store(entry, v128.load(regDigest))
  store<u32>(entry + 16, set)
  store<i32>(regListsLeft, load<i32>(regListsLeft) - 1)
  store<i32>(regListsTaken, load<i32>(regListsTaken) + 1)
  return entry
}

/** Tells the host what to count each time that a list comes again. Answers where the findings are counted. */
function noteEffect(entry: i32, groups: i32, npis: i32): i32 {
  const lists = load<i32>(regNewLists)
  const record = newListsAt + lists * newListBytes
  store<i32>(record, entry)
  store<i32>(record + 4, groups)
  store<i32>(record + 8, npis)
  memory.fill(record + 12, 0, findingKinds * 4)
  store<i32>(regNewLists, lists + 1)
  return record + 12
}

/** Reads a list of references that was not met before. Answers its end, or -1. */
function newReferences(at: i32, end: i32, register: i32, remembers: bool): i32 {
  if (load<i32>(regFiltered) != 0) return -1
  const close = readReferences(at, end, remembers)
  if (close < 0) return -1
  const count = referencesListed
  const repeated = referencesRepeated
  if (load<i32>(membersAt + (count - 1) * 4) >= flaggedReferences || (repeated > 0 && load<i32>(regTold + repeatedReferences * 4) == 0)) return -1
  if (!roomForSet(count, 0)) {
    store<i32>(regFull, 1)
    return -1
  }
  const set = setOf(membersAt, count, 0)
  if (remembers) {
    const entry = remember(set)
    if (repeated > 0) store<i32>(noteEffect(entry, 0, 0) + repeatedReferences * 4, repeated)
  }
  found(repeatedReferences, repeated)
  store<u32>(register, set)
  return close
}

/** Reads a list of groups that was not met before. Answers its end, or -1. */
function newGroups(at: i32, close: i32, register: i32): i32 {
  if (close - at > groupsBytesMax) return -1
  if (!roomForGroups() || !roomForSet(0, groupsListedMax)) {
    store<i32>(regFull, 1)
    return -1
  }
  if (readGroups(at, close) != close) return -1
  const set = setOf(membersAt, 0, groupsListed)
  const findings = noteEffect(remember(set), groupsListed, npisListed)
  store<i32>(findings + oddEins * 4, einsListed)
  store<i32>(findings + textNpis * 4, textsListed)
  store<i32>(findings + repeatedNpis * 4, repeatedListed)
  publishGroups()
  store<u32>(register, set)
  return close
}

/** Judges anew whether lists repeat. */
export function forgetLists(): void {
  inVain = false
  judged = 0
  hits = 0
}
