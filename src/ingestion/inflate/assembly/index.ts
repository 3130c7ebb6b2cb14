// Inflates a deflate stream (RFC 1951) as its bytes come. Pieces of output are written behind the history they may copy from.
import {
  codeLengthsAt,
  distanceTableAt,
  literalTableAt,
  preTableAt,
  regInAt,
  regInEnd,
  regLast,
  regOutAt,
  regOutStart,
  regReach,
  slotBytes,
} from './layout'
import { leadsOn, makeTable, noCode } from './tables'

export * from './layout'

// What `inflate` answers.
export const wantsInput: i32 = 0
export const wantsRoom: i32 = 1
export const ended: i32 = 2
export const damaged: i32 = 3
export const cutShort: i32 = 4

const betweenBlocks: i32 = 0
const inStored: i32 = 1
const inCodes: i32 = 2

const literalBits: i32 = 11
const distanceBits: i32 = 9
const preBits: i32 = 7

/** No header of a block with its own codes is longer. */
const headerBytesMax: i32 = 640
/** The longest match, and how far a copy may write beyond it. */
const marginBytes: i32 = 300

// Entries of the literal table.
const isLiteral: u32 = 1 << 31
const isEnd: u32 = 1 << 30

let state: i32 = betweenBlocks
let lastBlock: bool = false
let storedLeft: i32 = 0
let bits: u64 = 0
let bitCount: i32 = 0
let inAt: i32 = 0
let inEnd: i32 = 0

/** Begins a new stream. */
export function restart(): void {
  state = betweenBlocks
  lastBlock = false
  bits = 0
  bitCount = 0
}

/** Moves bytes: on memory that threads share, the host's own way takes eight times as long unless both places lie alike. */
export function move(to: i32, from: i32, count: i32): void {
  memory.copy(to, from, count)
}

// @ts-ignore: decorator
@inline
function refill(): void {
  bits |= load<u64>(inAt) << <u64>bitCount
  inAt += (63 - bitCount) >> 3
  bitCount |= 56
}

// @ts-ignore: decorator
@inline
function take(count: i32): u32 {
  const value = <u32>(bits & ((<u64>1 << <u64>count) - 1))
  bits >>= <u64>count
  bitCount -= count
  return value
}

/** Gives whole bytes that were looked at back to the input. */
function giveBack(): void {
  inAt -= bitCount >> 3
  bitCount &= 7
  bits &= (<u64>1 << <u64>bitCount) - 1
}

/** Goes on as far as input and room allow. */
export function inflate(): i32 {
  inAt = load<i32>(regInAt)
  inEnd = load<i32>(regInEnd)
  const answer = advance()
  giveBack()
  // Beyond the end stand zeroes; what was made of them is not there.
  const over = inAt > inEnd
  store<i32>(regInAt, inAt)
  return over ? cutShort : answer
}

function advance(): i32 {
  const last = load<i32>(regLast) != 0
  while (true) {
    if (state == betweenBlocks) {
      if (lastBlock) {
        // The stream ends at a whole byte.
        giveBack()
        bitCount = 0
        bits = 0
        return ended
      }
      giveBack()
      if (!last && inEnd - inAt < headerBytesMax) return wantsInput
      if (inAt > inEnd) return cutShort
      if (!startBlock()) return damaged
      if (inAt - (bitCount >> 3) > inEnd) return cutShort
    } else if (state == inStored) {
      const answer = copyStored()
      if (answer >= 0) return answer
    } else {
      const answer = decode(last)
      if (answer >= 0) return answer
    }
  }
}

function startBlock(): bool {
  refill()
  lastBlock = take(1) == 1
  const kind = take(2)
  if (kind == 0) {
    giveBack()
    bitCount = 0
    bits = 0
    const length = <i32>load<u16>(inAt)
    const check = <i32>load<u16>(inAt + 2)
    inAt += 4
    if ((length ^ check) != 0xffff) return false
    storedLeft = length
    state = inStored
    return true
  }
  state = inCodes
  return kind == 1 ? fixedCodes() : kind == 2 && ownCodes()
}

function copyStored(): i32 {
  const out = load<i32>(regOutAt)
  const room = load<i32>(regOutStart) + slotBytes - out
  const count = min(min(storedLeft, inEnd - inAt), room)
  if (count > 0) {
    memory.copy(out, inAt, count)
    inAt += count
    storedLeft -= count
    store<i32>(regOutAt, out + count)
  }
  if (storedLeft == 0) {
    state = betweenBlocks
    return -1
  }
  if (count == room) return wantsRoom
  return load<i32>(regLast) != 0 ? cutShort : wantsInput
}

function fixedCodes(): bool {
  for (let symbol = 0; symbol < 288; symbol++) {
    store<u8>(codeLengthsAt + symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)
  }
  for (let symbol = 288; symbol < 320; symbol++) store<u8>(codeLengthsAt + symbol, 5)
  return makeTable(literalTableAt, literalBits, codeLengthsAt, 288, literalMeaning, false) && makeTable(distanceTableAt, distanceBits, codeLengthsAt + 288, 32, distanceMeaning, false)
}

/** Reads the code lengths of a block and makes its tables. */
function ownCodes(): bool {
  refill()
  const literals = <i32>take(5) + 257
  const distances = <i32>take(5) + 1
  const given = <i32>take(4) + 4
  if (literals > 286 || distances > 30) return false
  memory.fill(codeLengthsAt, 0, 19)
  for (let i = 0; i < given; i++) {
    refill()
    store<u8>(codeLengthsAt + orderOf(i), <u8>take(3))
  }
  if (!makeTable(preTableAt, preBits, codeLengthsAt, 19, plainMeaning, false)) return false
  const total = literals + distances
  let filled = 0
  while (filled < total) {
    refill()
    const entry = load<u32>(preTableAt + (<i32>bits & 127) * 4)
    take(<i32>(entry & 255))
    const symbol = entry >> 8
    if (symbol < 16) {
      store<u8>(codeLengthsAt + filled++, <u8>symbol)
      continue
    }
    let length: u8 = 0
    let times = 0
    if (symbol == 16) {
      if (filled == 0) return false
      length = load<u8>(codeLengthsAt + filled - 1)
      times = 3 + <i32>take(2)
    } else times = symbol == 17 ? 3 + <i32>take(3) : 11 + <i32>take(7)
    if (filled + times > total) return false
    memory.fill(codeLengthsAt + filled, length, times)
    filled += times
  }
  if (load<u8>(codeLengthsAt + 256) == 0) return false
  // The lengths of distances follow those of literals at once; the tables are made one after the other, so nothing is moved.
  return makeTable(literalTableAt, literalBits, codeLengthsAt, literals, literalMeaning, true) && makeTable(distanceTableAt, distanceBits, codeLengthsAt + literals, distances, distanceMeaning, true)
}

/** The order in which the lengths of the lengths' codes are given. */
function orderOf(index: i32): i32 {
  if (index < 3) return 16 + index
  if (index == 3) return 0
  return index & 1 ? 7 - ((index - 5) >> 1) : 8 + ((index - 4) >> 1)
}

function plainMeaning(symbol: i32): u32 {
  return <u32>symbol << 8
}

/** A literal; the end of the block; or a length: its base in the upper half, its extra bits above the code's length. */
function literalMeaning(symbol: i32): u32 {
  if (symbol < 256) return isLiteral | (<u32>symbol << 8)
  if (symbol == 256) return isEnd
  if (symbol == 285) return 258 << 16
  if (symbol > 285) return noCode
  const step = symbol - 257
  if (step < 8) return <u32>(3 + step) << 16
  const extra = (step >> 2) - 1
  return (<u32>(3 + ((4 + (step & 3)) << extra)) << 16) | (<u32>extra << 8)
}

/** A distance: its extra bits above the code's length, then its base. */
function distanceMeaning(symbol: i32): u32 {
  if (symbol > 29) return noCode
  if (symbol < 4) return <u32>(1 + symbol) << 12
  const extra = (symbol >> 1) - 1
  return (<u32>(1 + ((2 + (symbol & 1)) << extra)) << 12) | (<u32>extra << 8)
}

/** Reads symbols until the block, the input or the room ends. Answers -1 at the end of the block. */
function decode(last: bool): i32 {
  const outStart = load<i32>(regOutStart)
  const reach = load<i32>(regReach)
  const outMax = outStart + slotBytes - marginBytes
  // Where no more comes, a few zeroes stand behind the input; whoever needed them finds out at the end.
  const inMax = last ? inEnd + 8 : inEnd - 24
  let out = load<i32>(regOutAt)
  let at = inAt
  let held = bits
  let count = bitCount
  let answer = wantsInput
  let safe = out
  const inCareful = last ? inEnd - 16 : i32.MAX_VALUE
  while (true) {
    if (at > inCareful) {
      if (at - (count >> 3) > inEnd) break
      safe = out
    }
    if (at > inMax) {
      answer = last ? cutShort : wantsInput
      break
    }
    if (out > outMax) {
      answer = wantsRoom
      break
    }
    held |= load<u64>(at) << <u64>count
    at += (63 - count) >> 3
    count |= 56
    let entry = load<u32>(literalTableAt + ((<i32>held & 2047) << 2))
    if (entry & isLiteral) {
      held >>= <u64>(entry & 255)
      count -= <i32>(entry & 255)
      store<u8>(out++, <u8>(entry >> 8))
      entry = load<u32>(literalTableAt + ((<i32>held & 2047) << 2))
      if (entry & isLiteral) {
        held >>= <u64>(entry & 255)
        count -= <i32>(entry & 255)
        store<u8>(out++, <u8>(entry >> 8))
        entry = load<u32>(literalTableAt + ((<i32>held & 2047) << 2))
        if (entry & isLiteral) {
          held >>= <u64>(entry & 255)
          count -= <i32>(entry & 255)
          store<u8>(out++, <u8>(entry >> 8))
          continue
        }
      }
    }
    if (entry & (leadsOn | isEnd | noCode)) {
      if (entry & leadsOn) {
        const more = (<i32>(held >> literalBits) & ((1 << (entry & 255)) - 1)) + <i32>((entry >> 8) & 0xffff)
        entry = load<u32>(literalTableAt + (more << 2))
        if (entry & isLiteral) {
          held >>= <u64>(entry & 255)
          count -= <i32>(entry & 255)
          store<u8>(out++, <u8>(entry >> 8))
          continue
        }
      }
      if (entry & isEnd) {
        held >>= <u64>(entry & 255)
        count -= <i32>(entry & 255)
        state = betweenBlocks
        answer = -1
        break
      }
      if (entry & noCode || entry == 0) {
        // Counted as read, so that a code made of what stands behind a cut is known for that.
        count -= <i32>(entry & 255)
        answer = damaged
        break
      }
    }
    held >>= <u64>(entry & 255)
    count -= <i32>(entry & 255)
    let extra = <i32>((entry >> 8) & 255)
    const length = <i32>(entry >> 16) + (<i32>held & ((1 << extra) - 1))
    held >>= <u64>extra
    count -= extra
    held |= load<u64>(at) << <u64>count
    at += (63 - count) >> 3
    count |= 56
    entry = load<u32>(distanceTableAt + ((<i32>held & 511) << 2))
    if (entry & leadsOn) {
      const more = (<i32>(held >> distanceBits) & ((1 << (entry & 255)) - 1)) + <i32>((entry >> 8) & 0xffff)
      entry = load<u32>(distanceTableAt + (more << 2))
    }
    held >>= <u64>(entry & 255)
    count -= <i32>(entry & 255)
    extra = <i32>((entry >> 8) & 15)
    const distance = <i32>((entry >> 12) & 0xffff) + (<i32>held & ((1 << extra) - 1))
    held >>= <u64>extra
    count -= extra
    let from = out - distance
    if (entry & noCode || distance == 0 || from < reach) {
      answer = damaged
      break
    }
    const end = out + length
    if (distance >= 16) {
      do {
        v128.store(out, v128.load(from))
        out += 16
        from += 16
      } while (out < end)
    } else if (distance >= 8) {
      do {
        store<u64>(out, load<u64>(from))
        out += 8
        from += 8
      } while (out < end)
    } else if (distance == 1) {
      const same = i8x16.splat(load<i8>(from))
      do {
        v128.store(out, same)
        out += 16
      } while (out < end)
    } else {
      do {
        store<u8>(out++, load<u8>(from++))
      } while (out < end)
    }
    out = end
  }
  if (last && at - (count >> 3) > inEnd) {
    answer = cutShort
    out = safe
  }
  inAt = at
  bits = held
  bitCount = count
  store<i32>(regOutAt, out)
  return answer
}
