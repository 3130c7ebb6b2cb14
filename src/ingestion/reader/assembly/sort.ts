import { sortedAt } from './layout'

/** Up to so many words are sorted by counting, for each, how many are smaller: more steps than sorting, and no guessed branch. */
const countedMax: i32 = 64
const nothing: u32 = 0xffffffff

/** Sorts numbers in memory, each once. Answers how many there are then. */
export function sortDistinct<T>(at: i32, count: i32): i32 {
  const bytes = <i32>sizeof<T>()
  let rising = 1
  while (rising < count && load<T>(at + (rising - 1) * bytes) < load<T>(at + rising * bytes)) rising++
  if (rising >= count) return count
  while (rising < count && load<T>(at + (rising - 1) * bytes) <= load<T>(at + rising * bytes)) rising++
  if (rising >= count) return compacted<T>(at, count)
  if (bytes == 4 && count <= countedMax) return countSorted(at, count)
  let gap = 1
  while (gap < count / 6) gap = gap * 3 + 1
  for (; gap > 0; gap = gap / 3) {
    for (let index = gap; index < count; index++) {
      const value = load<T>(at + index * bytes)
      let place = index
      while (place >= gap && load<T>(at + (place - gap) * bytes) > value) {
        store<T>(at + place * bytes, load<T>(at + (place - gap) * bytes))
        place -= gap
      }
      store<T>(at + place * bytes, value)
    }
  }
  return compacted<T>(at, count)
}

/** Leaves out numbers that come again, of numbers in order. */
function compacted<T>(at: i32, count: i32): i32 {
  const bytes = <i32>sizeof<T>()
  let kept = 1
  for (let index = 1; index < count; index++) {
    const value = load<T>(at + index * bytes)
    if (value == load<T>(at + (kept - 1) * bytes)) continue
    store<T>(at + kept * bytes, value)
    kept++
  }
  return kept
}

/** Sorts words below 2^31, each once, four at a time. */
function countSorted(at: i32, count: i32): i32 {
  for (let index = 0; index <= count; index++) store<u32>(sortedAt + index * 4, nothing)
  for (let four = 0; four < count; four += 4) {
    const values = v128.load(at + four * 4)
    let smaller = i32x4.splat(0)
    for (let other = at; other < at + count * 4; other += 4) {
      smaller = i32x4.sub(smaller, i32x4.lt_s(v128.load32_splat(other), values))
    }
    store<u32>(sortedAt + i32x4.extract_lane(smaller, 0) * 4, i32x4.extract_lane(values, 0))
    if (four + 1 < count) store<u32>(sortedAt + i32x4.extract_lane(smaller, 1) * 4, i32x4.extract_lane(values, 1))
    if (four + 2 < count) store<u32>(sortedAt + i32x4.extract_lane(smaller, 2) * 4, i32x4.extract_lane(values, 2))
    if (four + 3 < count) store<u32>(sortedAt + i32x4.extract_lane(smaller, 3) * 4, i32x4.extract_lane(values, 3))
  }
  // Where two are the same, the place behind them is empty.
  let kept = 0
  for (let index = 0; index < count; index++) {
    const value = load<u32>(sortedAt + index * 4)
    if (value == nothing) continue
    store<u32>(at + kept * 4, value)
    kept++
  }
  return kept
}
