// Reads definitions of references, and rates, in their usual forms. It judges nothing: whatever is odd, unusual or not whole is left to
// the host, at the place and in the state that the registers tell. See accelerator.ts for what each state means.
import { push, rows, used } from './columns'
import { beginContent, contentSlots, digestPart, findContent, forgetContent, number, numbered } from './content'
import { definitionEnd } from './definitions'
import { forgetForms } from './forms'
import { readGroup } from './group'
import {
  bufferRows,
  countsAt,
  entryBytes,
  flaggedReferences,
  flaggedReferencesAt,
  groupMemoAt,
  listMemoAt,
  priceAttributesAt,
  priceMemoAt,
  rateIndexesAt,
  rateIndexesCount,
  rateOffsetsAt,
  rateOffsetsCount,
  ratePricesAt,
  ratePricesCount,
  rateSetsAt,
  rateSetsCount,
  referenceIdsCount,
  regAt,
  regBase,
  regContent,
  regDefinitions,
  regDue,
  regEnd,
  regFull,
  regGroupSet,
  regGroupSlots,
  regGroups,
  regListSlots,
  regListsTaken,
  regNewLists,
  regNotesRead,
  regNpis,
  regOffset,
  regPrice,
  regPriceSlots,
  regPricesRead,
  regRate,
  regReferenceSet,
  regFound,
  regTold,
  findingKinds,
  regSeen,
  regState,
  registersAt,
  smallReferences,
  smallReferencesAt,
  windowAt,
} from './layout'
import { forgetLists, groupsPiece, listEnd, referencesPiece } from './lists'
import { findNotedPrice, findPiece, findPrice } from './memo'
import { knownPrice, roomForPrice } from './prices'
import { bracketsEnd, scanPrice, skipOn, spaceEnd } from './scan'

export * from './layout'
export { beginContent, bracketsEnd, digestPart, findContent, findNotedPrice, findPiece, findPrice, number, numbered, readGroup, scanPrice, skipOn }

const inRates: i32 = 1
const inRate: i32 = 2
const inPrices: i32 = 3
const inReferences: i32 = 4

/** Ends a rate object in the usual form. False where the host has to. */
function endRate(): bool {
  const references = load<u32>(regReferenceSet)
  const groups = load<u32>(regGroupSet)
  const prices = load<i32>(regPricesRead)
  if ((references == 0) == (groups == 0) || prices == 0) return false
  const set = references | groups
  if (set == 0xffffffff) return false
  const index = load<i32>(regRate)
  push<i32>(rateIndexesAt, rateIndexesCount, index)
  push<i64>(rateOffsetsAt, rateOffsetsCount, <i64>load<f64>(regOffset))
  push<u32>(rateSetsAt, rateSetsCount, set)
  push<i32>(ratePricesAt, ratePricesCount, prices)
  store<i32>(regRate, index + 1)
  return true
}

/** Beyond so many slots of content, emptying them takes longer than new memory. */
const slotsKeptMax: i32 = 1 << 17

/** Makes the memory as good as new for another file. False where that is not worth while. */
export function renew(): bool {
  if (contentSlots() > slotsKeptMax) return false
  forgetContent()
  memory.fill(priceMemoAt, 0, load<i32>(regPriceSlots) * entryBytes)
  memory.fill(listMemoAt, 0, load<i32>(regListSlots) * entryBytes)
  memory.fill(groupMemoAt, 0, load<i32>(regGroupSlots) * entryBytes)
  const references = rows(referenceIdsCount)
  if (references > 0) {
    memory.fill(smallReferencesAt, 0, smallReferences * 4)
    memory.fill(flaggedReferencesAt, 0, <i32>min(references, <i64>flaggedReferences))
  }
  memory.fill(registersAt, 0, regContent - registersAt)
  memory.fill(regTold, 0, 2 * findingKinds * 4)
  memory.fill(countsAt, 0, priceAttributesAt - countsAt)
  forgetLists()
  forgetForms()
  return true
}

/** Goes on from the registers as far as everything is usual. */
export function run(): void {
  store<i32>(regFull, 0)
  store<i32>(regGroups, 0)
  store<i32>(regNpis, 0)
  memory.fill(regFound, 0, findingKinds * 4)
  store<i32>(regDefinitions, 0)
  store<i32>(regNewLists, 0)
  store<i32>(regListsTaken, 0)
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
      if (used(rateSetsCount) == bufferRows) {
        store<i32>(regFull, 1)
        break
      }
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
      if (byte != 0x7b) break
      if (!roomForPrice()) {
        store<i32>(regFull, 1)
        break
      }
      const close = knownPrice(at, end)
      if (close < 0) break
      at = close
      due = 1
    } else if (state == inRates) {
      if (byte != 0x7b) break
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
    } else if (state == inReferences) {
      if (byte != 0x7b) break
      const close = definitionEnd(at, end)
      if (close < 0) break
      at = close
      due = 1
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
        const close = bit == 2 ? listEnd(after, end, referencesPiece, regReferenceSet) : listEnd(after, end, groupsPiece, regGroupSet)
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
