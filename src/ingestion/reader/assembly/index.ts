// Passes over rates whose bytes were met before. It judges nothing: whatever is new, odd or not whole is left to the host,
// at the place and in the state that the registers tell. See twin.ts for what each state means.
import { formAmount, formEnd, formEntry, formNote, formNoteEnd, keepForm } from './forms'
import { readGroup } from './group'
import {
  bufferRows,
  listMemoAt,
  membersAt,
  membersMax,
  newListBytes,
  newListsAt,
  newListsMax,
  newNoteBytes,
  newNotesAt,
  newNotesMax,
  noteTextsAt,
  notePricesAt,
  priceAmountsAt,
  priceAttributesAt,
  priceMemoAt,
  rateIndexesAt,
  rateOffsetsAt,
  ratePricesAt,
  rateSetsAt,
  regAmount,
  regAt,
  regBase,
  regDigest,
  regDue,
  regEnd,
  regFiltered,
  regGroupSet,
  regListSlots,
  regNewLists,
  regNewMembers,
  regNewNotes,
  regNotesRead,
  regNotesUsed,
  regOffset,
  regPrice,
  regPriceCount,
  regPriceSlots,
  regPricesRead,
  regPricesUsed,
  regRate,
  regRatesUsed,
  regReferenceSet,
  regScanned,
  regSeen,
  regState,
  windowAt,
} from './layout'
import { findDigest, findNotedPrice, findPiece, findPrice, look, piece } from './memo'
import { readReferences } from './references'
import { bracketsEnd, scanPrice, skipOn, spaceEnd } from './scan'

export * from './layout'
export { bracketsEnd, findDigest, findNotedPrice, findPiece, findPrice, readGroup, scanPrice, skipOn }

const inRates: i32 = 1
const inRate: i32 = 2
const inPrices: i32 = 3

const groupsPiece: i32 = 2
const referencesPiece: i32 = 3
const listBytesMax: i32 = 1 << 20
const absurdAmount: i64 = 100000000 * 10000
/** Less than a dollar or a percent is looked at by the host. */
const oneUnit: i64 = 10000

/** The set of a rate whose list was read here and has no number yet. */
const newSet: u32 = 0xfffffffe

/** Reads the price at `at` where it is known. Answers its end, or -1. */
function knownPrice(at: i32, end: i32): i32 {
  const known = formEnd(at, end)
  if (known >= 0) {
    const amount = formAmount
    if (amount < oneUnit || amount > absurdAmount) return -1
    const entry = formEntry
    store<u32>(entry + 28, load<u32>(entry + 28) + 1)
    writePrice(entry, amount, formNote, formNoteEnd)
    return known
  }
  const close = scanPrice(at, end)
  const number = load<i32>(regScanned)
  if (close < 0 || number == 0) return -1
  const numberEnd = load<i32>(regScanned + 4)
  const amount = <i64>load<f64>(regAmount)
  if (amount < oneUnit || amount > absurdAmount) return -1
  let entry = findPrice(at, number, numberEnd, close, priceMemoAt, load<i32>(regPriceSlots))
  if (entry >= 0) {
    if (load<u32>(entry + 20) == 0) keepForm(entry, at, number, numberEnd, 0, 0, close)
    writePrice(entry, amount, 0, 0)
    return close
  }
  const note = load<i32>(regScanned + 8)
  if (note < numberEnd) return -1
  const noteEnd = load<i32>(regScanned + 12)
  entry = findNotedPrice(at, number, numberEnd, note, noteEnd, close, priceMemoAt, load<i32>(regPriceSlots))
  if (entry < 0) return -1
  keepForm(entry, at, number, numberEnd, note, noteEnd, close)
  writePrice(entry, amount, note, noteEnd)
  return close
}

/** Writes a price of a known form; a note that stands in it as one that the host gives a number. */
function writePrice(entry: i32, amount: i64, noteAt: i32, noteEnd: i32): void {
  const row = load<i32>(regPricesUsed)
  const note = load<u32>(entry + 20)
  if (noteAt != 0 || note != 0) {
    const used = load<i32>(regNotesUsed)
    store<i64>(notePricesAt + used * 8, <i64>load<f64>(regPriceCount) + row)
    store<u32>(noteTextsAt + used * 4, note)
    store<i32>(regNotesUsed, used + 1)
    store<i32>(regNotesRead, load<i32>(regNotesRead) + 1)
    if (noteAt != 0) {
      const count = load<i32>(regNewNotes)
      const record = newNotesAt + count * newNoteBytes
      store<i32>(record, used)
      store<i32>(record + 4, noteAt)
      store<i32>(record + 8, noteEnd)
      store<i32>(regNewNotes, count + 1)
    }
  }
  store<u32>(priceAttributesAt + row * 4, load<u32>(entry + 16))
  store<i64>(priceAmountsAt + row * 8, amount)
  store<i32>(regPricesUsed, row + 1)
  store<i32>(regPricesRead, load<i32>(regPricesRead) + 1)
  store<i32>(regPrice, load<i32>(regPrice) + 1)
}

/** Looks the list at `at` up. Answers its end, its set in the register; -1 where it is not known. */
function knownList(at: i32, end: i32, kind: i32, register: i32): i32 {
  const close = piece(at, min(end, at + listBytesMax), kind)
  if (close < 0) return -1
  const entry = look(listMemoAt, load<i32>(regListSlots))
  if (entry >= 0) store<u32>(register, load<u32>(entry + 16))
  else if (kind == referencesPiece && newList(at, close)) store<u32>(register, newSet)
  else return -1
  return close
}

/** Reads a list of references that was not met before, and leaves it to the host to give it a number. */
function newList(at: i32, close: i32): bool {
  const count = load<i32>(regNewLists)
  const members = load<i32>(regNewMembers)
  if (load<i32>(regFiltered) != 0 || count == newListsMax || (close - at) >> 1 > membersMax - members) return false
  const read = readReferences(at, membersAt + members * 4)
  if (read < 0) return false
  const record = newListsAt + count * newListBytes
  memory.copy(record, regDigest, 16)
  store<i32>(record + 16, members)
  store<i32>(record + 20, read)
  store<i32>(record + 24, -1)
  store<i32>(regNewLists, count + 1)
  store<i32>(regNewMembers, members + read)
  return true
}

/** Ends a rate object in the usual form. False where the host has to. */
function endRate(): bool {
  const references = load<u32>(regReferenceSet)
  const groups = load<u32>(regGroupSet)
  const prices = load<i32>(regPricesRead)
  if ((references == 0) == (groups == 0) || prices == 0) return false
  const set = references | groups
  if (set == 0xffffffff) return false
  const row = load<i32>(regRatesUsed)
  if (references == newSet) store<i32>(newListsAt + (load<i32>(regNewLists) - 1) * newListBytes + 24, row)
  const index = load<i32>(regRate)
  store<i32>(rateIndexesAt + row * 4, index)
  store<i64>(rateOffsetsAt + row * 8, <i64>load<f64>(regOffset))
  store<u32>(rateSetsAt + row * 4, set)
  store<i32>(ratePricesAt + row * 4, prices)
  store<i32>(regRatesUsed, row + 1)
  store<i32>(regRate, index + 1)
  return true
}

/** Goes on from the registers as far as everything is known. */
export function run(): void {
  const end = load<i32>(regEnd)
  let at = load<i32>(regAt)
  let state = load<i32>(regState)
  let due = load<i32>(regDue)
  while (true) {
    at = spaceEnd(at, end)
    if (at >= end) break
    let byte = <u32>load<u8>(at)
    const closes = due != 2
    if (closes && byte == 0x7d && state == inRate) {
      if (!endRate()) break
      state = inRates
      due = 1
      at++
      continue
    }
    if (closes && byte == 0x5d && state == inPrices) {
      state = inRate
      due = 1
      at++
      continue
    }
    if (due == 1) {
      if (byte != 0x2c) break
      due = 2
      at = spaceEnd(at + 1, end)
      if (at >= end) break
      byte = <u32>load<u8>(at)
    }
    if (state == inPrices) {
      if (byte != 0x7b || load<i32>(regPricesUsed) >= bufferRows || load<i32>(regNotesUsed) >= bufferRows || load<i32>(regNewNotes) >= newNotesMax) break
      const close = knownPrice(at, end)
      if (close < 0) break
      at = close
      due = 1
    } else if (state == inRates) {
      if (byte != 0x7b || load<i32>(regRatesUsed) >= bufferRows) break
      store<f64>(regOffset, load<f64>(regBase) + <f64>(at - windowAt))
      store<i32>(regReferenceSet, 0)
      store<i32>(regGroupSet, 0)
      store<i32>(regPricesRead, 0)
      store<i32>(regNotesRead, 0)
      store<i32>(regPrice, 0)
      store<i32>(regSeen, 0)
      state = inRate
      due = 0
      at++
    } else {
      if (byte != 0x22) break
      const seen = load<i32>(regSeen)
      let bit = 0
      let after = at
      const head = load<u64>(at + 1)
      const middle = load<u64>(at + 9)
      // "negotiat" "ed_price" s"
      if (head == 0x746169746f67656e && middle == 0x65636972705f6465 && load<u16>(at + 17) == 0x2273) {
        bit = 1
        after = at + 19
        // "provider" "_referen" ces"
      } else if (head == 0x72656469766f7270 && middle == 0x6e6572656665725f && load<u32>(at + 17) == 0x22736563) {
        bit = 2
        after = at + 21
        // "provider" "_groups""
      } else if (head == 0x72656469766f7270 && middle == 0x227370756f72675f) {
        bit = 4
        after = at + 17
      }
      if (bit == 0 || (seen & bit) != 0) break
      after = spaceEnd(after, end)
      if (after >= end || load<u8>(after) != 0x3a) break
      after = spaceEnd(after + 1, end)
      if (after >= end || load<u8>(after) != 0x5b) break
      if (bit == 1) {
        state = inPrices
        due = 0
        at = after + 1
      } else {
        const close = bit == 2 ? knownList(after, end, referencesPiece, regReferenceSet) : knownList(after, end, groupsPiece, regGroupSet)
        if (close < 0) break
        at = close
        due = 1
      }
      store<i32>(regSeen, seen | bit)
    }
  }
  store<i32>(regAt, at)
  store<i32>(regState, state)
  store<i32>(regDue, due)
}
