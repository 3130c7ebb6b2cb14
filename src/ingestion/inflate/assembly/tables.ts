// Tables that turn the next bits of the input into a symbol. The first bits choose an entry; where a code is longer, the entry leads
// to a second table. An entry's low byte is how many bits the code has; what else it holds is said by whoever makes it.

/** The entry leads to a second table, whose first entry is in the upper half. */
export const leadsOn: u32 = 1 << 29
/** No code begins like this. */
export const noCode: u32 = 1 << 28

const countsAt: i32 = 64
const nextAt: i32 = 192
const codeBitsMax: i32 = 15

/** What a symbol's entry says, besides the length of its code. */
type Meaning = (symbol: i32) => u32

function reversed(code: u32, bits: i32): u32 {
  let result: u32 = 0
  for (let i = 0; i < bits; i++) {
    result = (result << 1) | (code & 1)
    code >>= 1
  }
  return result
}

/** Makes the table of the codes whose lengths stand at `lengths`. False where they are no code. */
export function makeTable(table: i32, firstBits: i32, lengths: i32, symbols: i32, meaning: Meaning, mayLack: bool): bool {
  for (let bits = 0; bits <= codeBitsMax; bits++) store<u32>(countsAt + bits * 4, 0)
  for (let symbol = 0; symbol < symbols; symbol++) {
    const place = countsAt + <i32>load<u8>(lengths + symbol) * 4
    store<u32>(place, load<u32>(place) + 1)
  }
  store<u32>(countsAt, 0)
  let left: i32 = 1
  let code: u32 = 0
  let longest = 0
  for (let bits = 1; bits <= codeBitsMax; bits++) {
    const count = load<u32>(countsAt + bits * 4)
    if (count > 0) longest = bits
    left = (left << 1) - <i32>count
    if (left < 0) return false
    code = (code + load<u32>(countsAt + (bits - 1) * 4)) << 1
    store<u32>(nextAt + bits * 4, code)
  }
  // An incomplete code is allowed where there is only one symbol, or none.
  if (left > 0 && !(mayLack && longest <= 1)) return false
  const size = 1 << firstBits
  if (left > 0) for (let i = 0; i < size; i++) store<u32>(table + i * 4, noCode | 1)
  let free = size
  const moreBits = longest - firstBits
  if (moreBits > 0) for (let i = 0; i < size; i++) store<u32>(table + i * 4, 0)
  for (let symbol = 0; symbol < symbols; symbol++) {
    const bits = <i32>load<u8>(lengths + symbol)
    if (bits == 0) continue
    const next = load<u32>(nextAt + bits * 4)
    store<u32>(nextAt + bits * 4, next + 1)
    const entry = meaning(symbol) | <u32>bits
    const turned = reversed(next, bits)
    if (bits <= firstBits) {
      for (let i = <i32>turned; i < size; i += 1 << bits) store<u32>(table + i * 4, entry)
      continue
    }
    const first = table + <i32>(turned & (<u32>size - 1)) * 4
    let lead = load<u32>(first)
    if (lead == 0) {
      lead = leadsOn | (<u32>free << 8) | <u32>moreBits
      store<u32>(first, lead)
      free += 1 << moreBits
    }
    const second = table + <i32>((lead >> 8) & 0xffff) * 4
    for (let i = <i32>(turned >> firstBits); i < 1 << moreBits; i += 1 << (bits - firstBits)) store<u32>(second + i * 4, entry)
  }
  return true
}
