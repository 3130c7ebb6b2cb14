/** Sorts numbers in memory. False where one comes twice. */
export function sortDistinct<T>(at: i32, count: i32): bool {
  const bytes = <i32>sizeof<T>()
  let sorted = true
  for (let index = 1; index < count; index++) {
    if (load<T>(at + (index - 1) * bytes) >= load<T>(at + index * bytes)) {
      sorted = false
      break
    }
  }
  if (sorted) return true
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
  for (let index = 1; index < count; index++) {
    if (load<T>(at + (index - 1) * bytes) == load<T>(at + index * bytes)) return false
  }
  return true
}
