/**
 * Whole numbers, packed: each value is stored as its distance from the least one, divided by a common power of ten,
 * in as few bytes as the largest distance needs. Cheap to read back, and small where values are alike.
 *
 * Layout of a column: width in bytes (1 byte), power of ten (1 byte), least value (8 bytes, float64), then `width` bytes per value, little endian.
 */
const headerBytes = 10
const powers = [1, 10, 100, 1_000, 10_000] as const
const centsPower = 2

/** Bytes that grow: what blocks are written into before they go to disk. */
export class ByteSink {
  bytes = Buffer.allocUnsafe(1 << 16)
  length = 0

  /** Makes room for `more` bytes and answers where they start. */
  reserve(more: number): number {
    const start = this.length
    const needed = start + more
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
      this.bytes.copy(larger, 0, 0, start)
      this.bytes = larger
    }
    this.length = needed
    return start
  }

  clear(): void {
    this.length = 0
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }
}

type Numbers = Float64Array | Uint32Array | Uint8Array | readonly number[]

/** Appends values `from` to `to` as one packed column. */
export function packColumn(sink: ByteSink, values: Numbers, from: number, to: number): void {
  let least = Infinity
  let most = -Infinity
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (value < least) least = value
    if (value > most) most = value
  }
  if (to <= from) least = most = 0
  const power = commonPower(values, from, to, least, most)
  const scale = powers[power]!
  const width = widthOf((most - least) / scale)
  let at = sink.reserve(headerBytes + width * (to - from))
  const bytes = sink.bytes
  bytes[at] = width
  bytes[at + 1] = power
  bytes.writeDoubleLE(least, at + 2)
  at += headerBytes
  if (width === 0) return
  if (width <= 4) packNarrow(bytes, at, values, from, to, least, scale, width)
  else packWide(bytes, at, values, from, to, least, scale, width)
}

function packNarrow(
  bytes: Buffer,
  start: number,
  values: Numbers,
  from: number,
  to: number,
  least: number,
  scale: number,
  width: number,
): void {
  let at = start
  const share = 1 / scale
  for (let i = from; i < to; i++, at += width) {
    // Rounded, because a product with 1/100 may miss the whole number by a hair; a division would cost three times as much.
    const rest = scale === 1 ? values[i]! - least : Math.round((values[i]! - least) * share)
    bytes[at] = rest
    if (width > 1) bytes[at + 1] = rest >>> 8
    if (width > 2) bytes[at + 2] = rest >>> 16
    if (width > 3) bytes[at + 3] = rest >>> 24
  }
}

function packWide(
  bytes: Buffer,
  start: number,
  values: Numbers,
  from: number,
  to: number,
  least: number,
  scale: number,
  width: number,
): void {
  let at = start
  for (let i = from; i < to; i++, at += width) {
    const rest = (values[i]! - least) / scale
    const high = Math.floor(rest / 0x1_0000_0000)
    bytes.writeUInt32LE(rest - high * 0x1_0000_0000, at)
    for (let byte = 4; byte < width; byte++) bytes[at + byte] = (high >>> (8 * (byte - 4))) & 0xff
  }
}

// Money is mostly whole cents, stored as ten-thousandths: two digits for nothing.
function commonPower(values: Numbers, from: number, to: number, least: number, most: number): number {
  if (most - least < 256) return 0
  for (let i = from; i < to; i++) {
    const distance = values[i]! - least
    if (Math.round(distance * 0.01) * 100 !== distance) return 0
  }
  return centsPower
}

function widthOf(most: number): number {
  let width = 0
  for (let rest = most; rest >= 1; rest /= 256) width++
  return width
}

/** Where the next column starts. */
export function packedEnd(bytes: Uint8Array, at: number, count: number): number {
  return at + headerBytes + bytes[at]! * count
}

/** Reads `count` values of the column at `at` into `values`, starting at `to`. */
export function unpackInto(
  bytes: Buffer,
  at: number,
  count: number,
  values: Float64Array | Uint32Array,
  to = 0,
): void {
  const width = bytes[at]!
  const scale = powers[bytes[at + 1]!]!
  const least = bytes.readDoubleLE(at + 2)
  let from = at + headerBytes
  const end = to + count
  if (width === 0) values.fill(least, to, end)
  else if (width === 1) for (let i = to; i < end; i++) values[i] = least + bytes[from++]! * scale
  else if (width === 2)
    for (let i = to; i < end; i++, from += 2)
      values[i] = least + (bytes[from]! | (bytes[from + 1]! << 8)) * scale
  else if (width === 3)
    for (let i = to; i < end; i++, from += 3)
      values[i] = least + (bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16)) * scale
  else
    for (let i = to; i < end; i++, from += width) {
      const low =
        (bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24)) >>> 0
      let high = 0
      for (let byte = width - 1; byte >= 4; byte--) high = high * 256 + bytes[from + byte]!
      values[i] = least + (high * 0x1_0000_0000 + low) * scale
    }
}

/** Long columns are packed in pieces of this many values, each with its own least value and width. */
const pieceValues = 4_096

export function packLongColumn(sink: ByteSink, values: Numbers, count: number): void {
  for (let from = 0; from < count; from += pieceValues)
    packColumn(sink, values, from, Math.min(count, from + pieceValues))
}

export function unpackLongColumn(bytes: Buffer, count: number, values: Float64Array | Uint32Array): void {
  let at = 0
  for (let from = 0; from < count; from += pieceValues) {
    const size = Math.min(pieceValues, count - from)
    unpackInto(bytes, at, size, values, from)
    at = packedEnd(bytes, at, size)
  }
}
