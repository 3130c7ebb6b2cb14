// Prices come in the same few forms, and mostly in the same order. A template is the bytes of a known price around its rate,
// and which template came next the last time: comparing with that is cheaper than looking for the price's parts.
import { priceMemoAt, regEpoch, templateBytes, templateSlots, templatesAt } from './layout'
import { amountEnd, plainAmount } from './scan'

// A template: its memo entry, epoch, length before and behind the rate, the template that came next; from byte 20 on its bytes.
const bytesAt: i32 = 20
const textMax: i32 = templateBytes - bytesAt - 16

let last: i32 = templatesAt

/** The entry, amount and end of the price that `predictedPrice` recognised last. */
export let predictedEntry: i32 = 0
export let predictedAmount: i64 = 0

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

/** The end of the price at `at` where it has the form that is expected next; -1 otherwise. */
export function predictedPrice(at: i32, end: i32): i32 {
  const template = load<i32>(last + 16)
  if (template == 0 || load<i32>(template + 4) != load<i32>(regEpoch)) return -1
  const before = load<i32>(template + 8)
  const behind = load<i32>(template + 12)
  const number = at + before
  if (number + behind >= end || !same(at, template + bytesAt, before)) return -1
  const amount = plainAmount(number, end)
  const close = amountEnd + behind
  if (amount < 0 || close > end || !same(amountEnd, template + bytesAt + before, behind)) return -1
  predictedEntry = load<i32>(template)
  predictedAmount = amount
  last = template
  return close
}

/** Remembers the form of a known price, and that it came now. */
export function expect(entry: i32, at: i32, number: i32, numberEnd: i32, close: i32): void {
  const before = number - at
  const behind = close - numberEnd
  if (before + behind > textMax) return
  const slot = ((entry - priceMemoAt) >> 5) & (templateSlots - 1)
  const template = templatesAt + slot * templateBytes
  const epoch = load<i32>(regEpoch)
  if (load<i32>(template) != entry || load<i32>(template + 4) != epoch) {
    store<i32>(template, entry)
    store<i32>(template + 4, epoch)
    store<i32>(template + 8, before)
    store<i32>(template + 12, behind)
    store<i32>(template + 16, 0)
    memory.copy(template + bytesAt, at, before)
    memory.copy(template + bytesAt + before, numberEnd, behind)
  }
  store<i32>(last + 16, template)
  last = template
}
