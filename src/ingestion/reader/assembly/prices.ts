// Prices whose form is known: all their bytes were met before, but for the rate and the note.
import { push, rows, used } from './columns'
import { roomForTexts, textAt } from './content'
import { formAmount, formEnd, formEntry, formNote, formNoteEnd, keepForm } from './forms'
import {
  bufferRows,
  notePricesAt,
  notePricesCount,
  noteTextsAt,
  noteTextsCount,
  priceAmountsAt,
  priceAmountsCount,
  priceAttributesAt,
  priceAttributesCount,
  priceMemoAt,
  regAmount,
  regNotesRead,
  regPrice,
  regPriceSlots,
  regPricesRead,
  regScanned,
} from './layout'
import { findNotedPrice, findPrice } from './memo'
import { scanPrice } from './scan'

const absurdAmount: i64 = 100000000 * 10000
/** Less than a dollar or a percent is looked at by the host. */
const oneUnit: i64 = 10000
/** Longer notes are read by the host. */
const noteMax: i32 = 1 << 12

/** Reads the price at `at` where it is known. Answers its end, or -1. */
export function knownPrice(at: i32, end: i32): i32 {
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
  if (entry < 0 || noteEnd - note > noteMax) return -1
  keepForm(entry, at, number, numberEnd, note, noteEnd, close)
  writePrice(entry, amount, note, noteEnd)
  return close
}

/** Writes a price of a known form, and the note that stands in it. */
function writePrice(entry: i32, amount: i64, noteAt: i32, noteEnd: i32): void {
  const note = noteAt != 0 ? textAt(noteAt, noteEnd) : load<u32>(entry + 20)
  if (note != 0) {
    push<i64>(notePricesAt, notePricesCount, rows(priceAmountsCount))
    push<u32>(noteTextsAt, noteTextsCount, note)
    store<i32>(regNotesRead, load<i32>(regNotesRead) + 1)
  }
  push<u32>(priceAttributesAt, priceAttributesCount, load<u32>(entry + 16))
  push<i64>(priceAmountsAt, priceAmountsCount, amount)
  store<i32>(regPricesRead, load<i32>(regPricesRead) + 1)
  store<i32>(regPrice, load<i32>(regPrice) + 1)
}

/** Whether there is room for another price with its note. */
export function roomForPrice(): bool {
  return used(priceAmountsCount) < bufferRows && used(notePricesCount) < bufferRows && roomForTexts(1, noteMax)
}
