// Content stored once: texts, groups and sets get numbers, by their digests. The host numbers content here too.
import { a, b, begin, stepA, stepB, stir } from './digest'
import { push, pushAll, rows, used } from './columns'
import {
  bufferRows,
  contentAsideAt,
  contentBytes,
  contentSlotBytes,
  contentSlotsMax,
  contentTablesAt,
  flaggedReferencesAt,
  groupAt,
  groupFlagsAt,
  groupFlagsCount,
  groupNamesAt,
  groupNamesCount,
  groupNpisAt,
  groupNpisCount,
  groupNpisEndsAt,
  groupNpisEndsCount,
  groupTinTypesAt,
  groupTinTypesCount,
  groupTinsAt,
  groupTinsCount,
  regContent,
  setGroupsAt,
  setGroupsCount,
  setGroupsEndsAt,
  setGroupsEndsCount,
  setGroupsRows,
  setReferencesAt,
  setReferencesCount,
  setReferencesEndsAt,
  setReferencesEndsCount,
  setReferencesRows,
  textBytesAt,
  textBytesCount,
  textBytesRows,
  textEndsAt,
  textEndsCount,
  textEndsRows,
} from './layout'

export const textContent: i32 = 0
export const groupContent: i32 = 1
export const setContent: i32 = 2

const slotsFirst: i32 = 1 << 10
/** From so many slots on, a table grows by two; before, by four. */
const slotsMany: i32 = 1 << 16
/** As the host's: at so many entries a table that is full is emptied. */
const entriesMax: i32 = 3000000
const usedReference: u32 = 2

for (let table = 0; table < 3; table++) store<i32>(regContent + table * 8, slotsFirst)

/** Slots of all tables. */
export function contentSlots(): i32 {
  return load<i32>(regContent) + load<i32>(regContent + 8) + load<i32>(regContent + 16)
}

/** Forgets all content. */
export function forgetContent(): void {
  for (let table = 0; table < 3; table++) {
    memory.fill(tableAt(table), 0, load<i32>(regContent + table * 8) * contentSlotBytes)
    store<i32>(regContent + table * 8, slotsFirst)
    store<i32>(regContent + table * 8 + 4, 0)
  }
}

/** Where the content looked up last, and not found, has its place. */
let free: i32 = 0

// @ts-ignore: decorator
@inline
function tableAt(table: i32): i32 {
  return contentTablesAt + table * contentSlotsMax * contentSlotBytes
}

/** The number of the content digested last; -1 where it is new. A slot holds 96 bits of the digest, and the number plus one. */
export function numbered(table: i32): i32 {
  const base = tableAt(table)
  const bytes = load<i32>(regContent + table * 8) * contentSlotBytes
  let slot = (<i32>a * contentSlotBytes) & (bytes - contentSlotBytes)
  while (true) {
    const place = base + slot
    const number = load<u32>(place + 12)
    if (number == 0) {
      free = place
      return -1
    }
    if (load<u64>(place) == a && load<u32>(place + 8) == <u32>b) return <i32>number - 1
    slot = (slot + contentSlotBytes) & (bytes - contentSlotBytes)
  }
}

/** Numbers the content that `numbered` has just found to be new. */
export function number(table: i32, id: i32): void {
  store<u64>(free, a)
  store<u32>(free + 8, <u32>b)
  store<u32>(free + 12, <u32>id + 1)
  const slots = load<i32>(regContent + table * 8)
  const entries = load<i32>(regContent + table * 8 + 4) + 1
  store<i32>(regContent + table * 8 + 4, entries)
  if (<i64>entries * 4 < <i64>slots * 3) return
  if (entries >= entriesMax) {
    memory.fill(tableAt(table), 0, slots * contentSlotBytes)
    store<i32>(regContent + table * 8 + 4, 0)
  } else grow(table, slots)
}

function grow(table: i32, slots: i32): void {
  const base = tableAt(table)
  const bytes = slots * contentSlotBytes
  memory.copy(contentAsideAt, base, bytes)
  memory.fill(base, 0, bytes)
  const more = slots < slotsMany ? slots * 4 : slots * 2
  store<i32>(regContent + table * 8, more)
  const mask = more * contentSlotBytes - contentSlotBytes
  for (let from = contentAsideAt; from < contentAsideAt + bytes; from += contentSlotBytes) {
    if (load<u32>(from + 12) == 0) continue
    let slot = (load<i32>(from) * contentSlotBytes) & mask
    while (load<u32>(base + slot + 12) != 0) slot = (slot + contentSlotBytes) & mask
    v128.store(base + slot, v128.load(from))
  }
}

/** Begins to digest content; `seed` tells apart what has the same bytes, and is spread so that no small number of the content undoes it. */
// @ts-ignore: decorator
@inline
export function beginContent(seed: i32): void {
  begin(stepA, stepB ^ (<u64>seed * stepA))
}

/** Digests a part of content: all but the last have `contentBytes`. */
export function digestPart(at: i32, end: i32): void {
  stir(at, end)
}

function digest(at: i32, end: i32, seed: i32): void {
  beginContent(seed)
  while (end - at > contentBytes) {
    stir(at, at + contentBytes)
    at += contentBytes
  }
  stir(at, end)
}

/** The number of the content at `at`; -1 where it is new, and the host numbers it then. */
export function findContent(table: i32, at: i32, end: i32, seed: i32): i32 {
  digest(at, end, seed)
  return numbered(table)
}

/** Whether there is room for so many texts of so many bytes together. */
export function roomForTexts(texts: i32, bytes: i32): bool {
  return used(textEndsCount) + texts <= textEndsRows && used(textBytesCount) + bytes <= textBytesRows
}

/** The number of the text at `at`, which is kept where it is new. */
export function textAt(at: i32, end: i32): u32 {
  const known = findContent(textContent, at, end, 0)
  if (known >= 0) return known
  const id = <i32>rows(textEndsCount)
  number(textContent, id)
  pushAll<u8>(textBytesAt, textBytesCount, at, end - at)
  push<i64>(textEndsAt, textEndsCount, rows(textBytesCount))
  return id
}

/** The number of the group that stands at `groupAt`. */
export function groupOf(npis: i32): u32 {
  const known = findContent(groupContent, groupAt, groupAt + 16 + npis * 8, 0)
  if (known >= 0) return known
  const id = <i32>rows(groupTinsCount)
  number(groupContent, id)
  push<u32>(groupTinTypesAt, groupTinTypesCount, load<u32>(groupAt))
  push<u32>(groupTinsAt, groupTinsCount, load<u32>(groupAt + 4))
  push<u32>(groupNamesAt, groupNamesCount, load<u32>(groupAt + 8))
  push<u8>(groupFlagsAt, groupFlagsCount, load<u8>(groupAt + 12))
  pushAll<u64>(groupNpisAt, groupNpisCount, groupAt + 16, npis)
  push<i64>(groupNpisEndsAt, groupNpisEndsCount, rows(groupNpisCount))
  return id
}

/** Whether there is room for another set of so many references and groups. */
export function roomForSet(references: i32, groups: i32): bool {
  return (
    used(setReferencesEndsCount) < bufferRows &&
    used(setGroupsEndsCount) < bufferRows &&
    used(setReferencesCount) + references <= setReferencesRows &&
    used(setGroupsCount) + groups <= setGroupsRows
  )
}

/** The number of the set of references, or of groups, at `at`, ascending and distinct. */
export function setOf(at: i32, references: i32, groups: i32): u32 {
  const known = findContent(setContent, at, at + (references + groups) * 4, references)
  if (known >= 0) return known
  const id = <i32>rows(setReferencesEndsCount)
  number(setContent, id)
  for (let member = at; member < at + references * 4; member += 4) {
    const flags = flaggedReferencesAt + load<i32>(member)
    store<u8>(flags, <u32>load<u8>(flags) | usedReference)
  }
  pushAll<u32>(setReferencesAt, setReferencesCount, at, references)
  push<i64>(setReferencesEndsAt, setReferencesEndsCount, rows(setReferencesCount))
  pushAll<u32>(setGroupsAt, setGroupsCount, at + references * 4, groups)
  push<i64>(setGroupsEndsAt, setGroupsEndsCount, rows(setGroupsCount))
  return id
}
