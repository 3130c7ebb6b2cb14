// Prices come in few forms: the bytes before the rate, and the bytes behind it. Both are kept in trees that branch where two forms
// first differ, so that a handful of bytes leads to the only form that a price can have; comparing with that one decides.
import { formsAt, formsBytes, regEpoch } from './layout'
import { amountEnd, noteEndAt, plainAmount } from './scan'

// A leaf: what it means (the root of what comes behind, or the memo entry of the whole), its length, its bytes. A tail that is cut
// where a note begins has the sign of its length set; behind the note comes the rest.
// A branch: the place of the byte that decides (16 bits), all bits of it but the deciding one, then a branch or leaf for each value.
const textAt: i32 = 8
const formMax: i32 = 1 << 12
const noteMax: i32 = 1 << 12
const noted: i32 = 1 << 31

const headsAt: i32 = formsAt
const firstFree: i32 = formsAt + 16
let free: i32 = firstFree
let epoch: i32 = 0

/** The entry and amount of the price that `formEnd` recognised last. */
export let formEntry: i32 = 0
export let formAmount: i64 = 0
/** Where its note stands; 0 where it has none. */
export let formNote: i32 = 0
export let formNoteEnd: i32 = 0

/** Whether `length` bytes are the same. Reads up to fifteen bytes further. */
// @ts-ignore: decorator
@inline
function same(at: i32, other: i32, length: i32): bool {
  let index = 0
  for (; index + 16 <= length; index += 16) {
    if (v128.any_true(v128.xor(v128.load(at + index), v128.load(other + index)))) return false
  }
  const left = length - index
  if (left >= 8) {
    return load<u64>(at + index) == load<u64>(other + index) && load<u64>(at + length - 8) == load<u64>(other + length - 8)
  }
  if (left == 0) return true
  return ((load<u64>(at + index) ^ load<u64>(other + index)) << (<u64>(8 - left) * 8)) == 0
}

/** The side of a branch for a byte. */
// @ts-ignore: decorator
@inline
function side(branch: i32, byte: u32): i32 {
  return ((1 + (<u32>load<u8>(branch + 2) | byte)) >> 8) << 2
}

/** The only leaf below `tree` that can be what stands at `at`. Leaves are told from branches by an odd address. */
// @ts-ignore: decorator
@inline
function leafAt(tree: i32, at: i32): i32 {
  while ((tree & 1) == 0) tree = load<i32>(tree + 4 + side(tree, <u32>load<u8>(at + <i32>load<u16>(tree))))
  return tree - 1
}

/** The end of the price at `at` where its form is known; -1 otherwise. */
export function formEnd(at: i32, end: i32): i32 {
  if (epoch != load<i32>(regEpoch)) forgetForms()
  const heads = load<i32>(headsAt)
  if (heads == 0) return -1
  const head = leafAt(heads, at)
  const before = load<i32>(head + 4)
  const number = at + before
  if (number >= end || !same(at, head + textAt, before)) return -1
  const amount = plainAmount(number, end)
  if (amount < 0) return -1
  const numberEnd = amountEnd
  const tail = leafAt(load<i32>(head), numberEnd)
  const behind = load<i32>(tail + 4) & ~noted
  let close = numberEnd + behind
  if (close > end || !same(numberEnd, tail + textAt, behind)) return -1
  formAmount = amount
  formNote = 0
  formEntry = load<i32>(tail)
  if (load<i32>(tail + 4) >= 0) return close
  const noteEnd = noteEndAt(close, min(end, close + noteMax))
  if (noteEnd < 0) return -1
  const rest = leafAt(formEntry, noteEnd)
  formNote = close
  formNoteEnd = noteEnd
  formEntry = load<i32>(rest)
  close = noteEnd + load<i32>(rest + 4)
  return close <= end && same(noteEnd, rest + textAt, load<i32>(rest + 4)) ? close : -1
}

/** Keeps the form of a price that the memo knows as `entry`; `note` is where its note stands, 0 where it has none. */
export function keepForm(entry: i32, at: i32, number: i32, numberEnd: i32, note: i32, noteEnd: i32, close: i32): void {
  const before = number - at
  // A number in quotes would make one head the beginning of another.
  if (before > formMax || close - numberEnd > formMax || load<u8>(number - 1) == 0x22) return
  if (free + close - at + 256 > formsAt + formsBytes) forgetForms()
  let leaf = leafOf(headsAt, at, before)
  if (note > 0) {
    leaf = leafOf(leaf, numberEnd, (note - numberEnd) | noted)
    if (leaf != 0) leaf = leafOf(leaf, noteEnd, close - noteEnd)
  } else leaf = leafOf(leaf, numberEnd, close - numberEnd)
  if (leaf != 0) store<i32>(leaf, entry)
}

/** Forgets all forms. */
export function forgetForms(): void {
  epoch = load<i32>(regEpoch)
  free = firstFree
  store<i32>(headsAt, 0)
}

function newLeaf(at: i32, size: i32): i32 {
  const leaf = free
  const length = size & ~noted
  store<i32>(leaf, 0)
  store<i32>(leaf + 4, size)
  memory.copy(leaf + textAt, at, length)
  free = (leaf + textAt + length + 7) & ~7
  return leaf
}

/** The leaf of the bytes at `at` in the tree whose root is kept at `root`, made where it is new. 0 where another is in its way. */
function leafOf(root: i32, at: i32, size: i32): i32 {
  const tree = load<i32>(root)
  const length = size & ~noted
  if (tree == 0) {
    const leaf = newLeaf(at, size)
    store<i32>(root, leaf | 1)
    return leaf
  }
  const near = leafAt(tree, at)
  const text = near + textAt
  const common = min(length, load<i32>(near + 4) & ~noted)
  let place = 0
  while (place < common && load<u8>(at + place) == load<u8>(text + place)) place++
  if (place == common) return load<i32>(near + 4) == size ? near : 0
  // Of the bits in which the two bytes differ, the highest.
  let bits = <u32>load<u8>(at + place) ^ <u32>load<u8>(text + place)
  bits |= bits >> 1
  bits |= bits >> 2
  bits |= bits >> 4
  const others = (bits & ~(bits >> 1)) ^ 255
  let where = root
  while (true) {
    const branch = load<i32>(where)
    if (branch & 1) break
    const decides = <i32>load<u16>(branch)
    if (decides > place || (decides == place && <u32>load<u8>(branch + 2) > others)) break
    where = branch + 4 + side(branch, <u32>load<u8>(at + decides))
  }
  const leaf = newLeaf(at, size)
  const branch = free
  free += 16
  store<u16>(branch, <u16>place)
  store<u8>(branch + 2, <u8>others)
  const ours = side(branch, <u32>load<u8>(at + place))
  store<i32>(branch + 4 + ours, leaf | 1)
  store<i32>(branch + 4 + (4 - ours), load<i32>(where))
  store<i32>(where, branch)
  return leaf
}
