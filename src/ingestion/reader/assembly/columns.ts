// Buffers of staged columns. The host writes to them too, and writes them out when they are full.

/** Rows in the buffer whose count stands at `count`. */
// @ts-ignore: decorator
@inline
export function used(count: i32): i32 {
  return load<i32>(count)
}

/** Rows in the whole column. */
// @ts-ignore: decorator
@inline
export function rows(count: i32): i64 {
  return <i64>load<f64>(count + 8) + <i64>load<i32>(count)
}

/** Appends one row. There must be room. */
// @ts-ignore: decorator
@inline
export function push<T>(at: i32, count: i32, value: T): void {
  const row = load<i32>(count)
  store<T>(at + row * <i32>sizeof<T>(), value)
  store<i32>(count, row + 1)
}

/** Appends rows as they lie in memory. */
// @ts-ignore: decorator
@inline
export function pushAll<T>(at: i32, count: i32, from: i32, values: i32): void {
  const row = load<i32>(count)
  memory.copy(at + row * <i32>sizeof<T>(), from, values * <i32>sizeof<T>())
  store<i32>(count, row + values)
}
