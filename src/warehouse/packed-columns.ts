/**
 * Whole numbers, packed: each value is stored as its distance from the least one, divided by a common power of ten,
 * in as few bytes as the largest distance needs. Cheap to read back, and small where values are alike.
 *
 * Layout of a column: width in bytes (1 byte), power of ten (1 byte), least value (8 bytes, float64), then `width` bytes per value, little endian.
 */
const headerBytes = 10
const powers = [1, 10, 100, 1_000, 10_000] as const
const centsPower = 2
const cents = powers[centsPower]

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

/** Each kind is packed by code of its own: code that meets several kinds of arrays is slow with all of them. */
type Numbers = Float64Array | Uint32Array

/** Appends values `from` to `to` as one packed column. */
export function packColumn(sink: ByteSink, values: Numbers, from: number, to: number): void {
  if (to <= from) startColumn(sink, 0, 0, 0, 0)
  else if (values instanceof Float64Array) packNumbers(sink, values, from, to)
  else packWords(sink, values, from, to)
}

/** Appends a column that has the same value everywhere, however long it is. */
export function packSame(sink: ByteSink, value: number): void {
  startColumn(sink, 0, 0, value, 0)
}

/** Makes room for a column, writes what stands before its values, and answers where they start. */
function startColumn(sink: ByteSink, width: number, power: number, least: number, count: number): number {
  const at = sink.reserve(headerBytes + width * count)
  sink.bytes[at] = width
  sink.bytes[at + 1] = power
  sink.bytes.writeDoubleLE(least, at + 2)
  return at + headerBytes
}

/** Distances of the column that is packed now, where they are not taken straight from its values. */
let distances = new Uint32Array(4_096)

function packWords(sink: ByteSink, values: Uint32Array, from: number, to: number): void {
  let least = values[from]!
  let most = least
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    if (value < least) least = value
    else if (value > most) most = value
  }
  if (most - least < 256 || !wordsInCents(values, from, to, least)) {
    const width = widthOf(most - least)
    const at = startColumn(sink, width, 0, least, to - from)
    writeNarrow(sink.bytes, at, values, from, to, least, width)
    return
  }
  const width = widthOf((most - least) / cents)
  const at = startColumn(sink, width, centsPower, least, to - from)
  writeNarrow(sink.bytes, at, distances, 0, to - from, 0, width)
}

function packNumbers(sink: ByteSink, values: Float64Array, from: number, to: number): void {
  let least = values[from]!
  let most = least
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    if (value < least) least = value
    else if (value > most) most = value
  }
  const inCents = most - least >= 256 && numbersInCents(values, from, to, least)
  const scale = inCents ? cents : 1
  const width = widthOf((most - least) / scale)
  const at = startColumn(sink, width, inCents ? centsPower : 0, least, to - from)
  if (width > 4) return packWide(sink.bytes, at, values, from, to, least, scale, width)
  if (!inCents) {
    reserveDistances(to - from)
    for (let i = from, into = 0; i < to; i++, into++) distances[into] = values[i]! - least
  }
  writeNarrow(sink.bytes, at, distances, 0, to - from, 0, width)
}

function writeNarrow(
  bytes: Buffer,
  start: number,
  values: Uint32Array,
  from: number,
  to: number,
  least: number,
  width: number,
): void {
  let at = start
  if (width === 1) for (let i = from; i < to; i++) bytes[at++] = values[i]! - least
  else if (width === 2)
    for (let i = from; i < to; i++, at += 2) {
      const rest = values[i]! - least
      bytes[at] = rest
      bytes[at + 1] = rest >>> 8
    }
  else if (width === 3)
    for (let i = from; i < to; i++, at += 3) {
      const rest = values[i]! - least
      bytes[at] = rest
      bytes[at + 1] = rest >>> 8
      bytes[at + 2] = rest >>> 16
    }
  else if (width === 4)
    for (let i = from; i < to; i++, at += 4) {
      const rest = values[i]! - least
      bytes[at] = rest
      bytes[at + 1] = rest >>> 8
      bytes[at + 2] = rest >>> 16
      bytes[at + 3] = rest >>> 24
    }
}

function packWide(
  bytes: Buffer,
  start: number,
  values: Float64Array,
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

// Money is mostly whole cents, stored as ten-thousandths: two digits for nothing. Where all distances are, they are left in `distances`.
function numbersInCents(values: Float64Array, from: number, to: number, least: number): boolean {
  reserveDistances(to - from)
  for (let i = from, into = 0; i < to; i++, into++) {
    const distance = values[i]! - least
    // Rounded, because a product with 1/100 may miss the whole number by a hair; a division would cost three times as much.
    const rest = Math.round(distance * 0.01)
    if (rest * cents !== distance) return false
    distances[into] = rest
  }
  return true
}

function wordsInCents(values: Uint32Array, from: number, to: number, least: number): boolean {
  reserveDistances(to - from)
  for (let i = from, into = 0; i < to; i++, into++) {
    const distance = values[i]! - least
    const rest = Math.round(distance * 0.01)
    if (rest * cents !== distance) return false
    distances[into] = rest
  }
  return true
}

function reserveDistances(count: number): void {
  if (distances.length < count) distances = new Uint32Array(count * 2)
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
export const pieceValues = 4_096

/** Appends a long column; after each piece the sink may be emptied. */
export function packLongColumn(sink: ByteSink, values: Numbers, packed?: () => void): void {
  for (let from = 0; from < values.length; from += pieceValues) {
    packColumn(sink, values, from, Math.min(values.length, from + pieceValues))
    packed?.()
  }
}

export function unpackLongColumn(bytes: Buffer, count: number, values: Float64Array | Uint32Array): void {
  let at = 0
  for (let from = 0; from < count; from += pieceValues) {
    const size = Math.min(pieceValues, count - from)
    unpackInto(bytes, at, size, values, from)
    at = packedEnd(bytes, at, size)
  }
}
