/**
 * Strict JSON over bytes (RFC 8259). Every function looks at `bytes[at…end)`, answers the index after what it read,
 * and `incomplete` where the bytes end too early. What can never become JSON throws `BadJson` with its place.
 */
export const incomplete = -1

/** Deeper nesting than any schema of CMS needs, with room for unknown keys. */
export const depthMax = 128

export class BadJson {
  readonly at: number
  readonly says: string
  readonly kind: 'bad_json' | 'too_deep' | 'too_large'

  constructor(at: number, says: string, kind: 'bad_json' | 'too_deep' | 'too_large' = 'bad_json') {
    this.at = at
    this.says = says
    this.kind = kind
  }
}

export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openList = 0x5b
export const closeList = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d
const backslash = 0x5c
const minus = 0x2d
const zero = 0x30

const isSpace = new Uint8Array(256)
for (const byte of [0x20, 0x09, 0x0a, 0x0d]) isSpace[byte] = 1

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

/** The first byte from `at` on that is no white space; `end` where there is none. */
export function spaceEnd(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isSpace[bytes[at]!] === 1) at++
  return at
}

/** What the last string read by `stringEnd` is made of: bit 0 escapes, bit 7 bytes beyond ASCII. */
export let stringTraits = 0

/** The end of the string whose opening quote stands at `at`. */
export function stringEnd(bytes: Uint8Array, at: number, end: number): number {
  let traits = 0
  for (let index = at + 1; index < end; index++) {
    const byte = bytes[index]!
    if (byte === quote) {
      stringTraits = traits & 0x81
      return index + 1
    }
    if (byte === backslash) {
      index = escapeEnd(bytes, index, end)
      if (index < 0) return incomplete
      traits |= 1
    } else if (byte < 0x20) {
      throw new BadJson(index, 'a control character stands in a string')
    } else {
      traits |= byte & 0x80
    }
  }
  return incomplete
}

/** The last byte of the escape that begins at `at`. */
export function escapeEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return incomplete
  const byte = bytes[at + 1]!
  if (byte === 0x75) {
    for (let index = at + 2; index < at + 6; index++) {
      if (index >= end) return incomplete
      const digit = bytes[index]! | 0x20
      if (!isDigit(bytes[index]!) && (digit < 0x61 || digit > 0x66)) {
        throw new BadJson(index, 'an escape \\u wants four hexadecimal digits')
      }
    }
    return at + 5
  }
  // " \ / b f n r t
  if (
    byte === quote ||
    byte === backslash ||
    byte === 0x2f ||
    byte === 0x62 ||
    byte === 0x66 ||
    byte === 0x6e ||
    byte === 0x72 ||
    byte === 0x74
  ) {
    return at + 1
  }
  throw new BadJson(at + 1, 'an unknown escape in a string')
}

/** The end of the number at `at`. A number that touches `end` may go on there, so it counts as incomplete. */
export function numberEnd(bytes: Uint8Array, at: number, end: number): number {
  let index = at
  if (bytes[index] === minus) index++
  if (index >= end) return incomplete
  if (bytes[index] === zero) index++
  else {
    const digits = digitsEnd(bytes, index, end)
    if (digits < 0) return incomplete
    index = digits
  }
  if (index < end && bytes[index] === 0x2e) {
    index = digitsEnd(bytes, index + 1, end)
    if (index < 0) return incomplete
  }
  if (index < end && (bytes[index]! | 0x20) === 0x65) {
    index++
    if (index < end && (bytes[index] === 0x2b || bytes[index] === minus)) index++
    index = digitsEnd(bytes, index, end)
    if (index < 0) return incomplete
  }
  return index < end ? index : incomplete
}

function digitsEnd(bytes: Uint8Array, at: number, end: number): number {
  let index = at
  while (index < end && isDigit(bytes[index]!)) index++
  if (index >= end) return incomplete
  if (index === at) throw new BadJson(at, 'a digit is due here')
  return index
}

const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word))

function literalEnd(bytes: Uint8Array, at: number, end: number): number {
  const word = literals.find((literal) => literal[0] === bytes[at])
  if (!word) throw new BadJson(at, 'a value is due here')
  for (let index = 0; index < word.length; index++) {
    if (at + index >= end) return incomplete
    if (bytes[at + index] !== word[index]) throw new BadJson(at + index, 'a value is due here')
  }
  return at + word.length
}

/** The end of the string, number or literal at `at`. */
export function scalarEnd(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]!
  if (byte === quote) return stringEnd(bytes, at, end)
  if (isDigit(byte) || byte === minus) return numberEnd(bytes, at, end)
  return literalEnd(bytes, at, end)
}

/** The end of the value at `at`, whatever it is. */
export function valueEnd(bytes: Uint8Array, at: number, end: number, depth: number): number {
  const byte = bytes[at]!
  if (byte !== openObject && byte !== openList) return scalarEnd(bytes, at, end)
  if (depth >= depthMax) throw new BadJson(at, 'the nesting is too deep', 'too_deep')
  return byte === openObject
    ? objectEnd(bytes, at, end, (_keyAt, _keyEnd, value) => valueEnd(bytes, value, end, depth + 1))
    : listEnd(bytes, at, end, (value) => valueEnd(bytes, value, end, depth + 1))
}

/** Walks the object at `at`. `visit` answers the end of the member's value, or `incomplete`. */
export function objectEnd(
  bytes: Uint8Array,
  at: number,
  end: number,
  visit: (keyAt: number, keyEnd: number, value: number) => number,
): number {
  let index = spaceEnd(bytes, at + 1, end)
  if (index < end && bytes[index] === closeObject) return index + 1
  while (index < end) {
    if (bytes[index] !== quote) throw new BadJson(index, 'a key in quotes is due here')
    const keyEnd = stringEnd(bytes, index, end)
    if (keyEnd < 0) return incomplete
    const value = valueAfterColon(bytes, keyEnd, end)
    if (value < 0) return incomplete
    const after = visit(index, keyEnd, value)
    if (after < 0) return incomplete
    index = spaceEnd(bytes, after, end)
    if (index >= end) return incomplete
    if (bytes[index] === closeObject) return index + 1
    if (bytes[index] !== comma) throw new BadJson(index, 'a comma or } is due here')
    index = spaceEnd(bytes, index + 1, end)
  }
  return incomplete
}

/** Where the value of a key begins, from the end of the key on. */
export function valueAfterColon(bytes: Uint8Array, keyEnd: number, end: number): number {
  const at = spaceEnd(bytes, keyEnd, end)
  if (at >= end) return incomplete
  if (bytes[at] !== colon) throw new BadJson(at, 'a colon is due here')
  const value = spaceEnd(bytes, at + 1, end)
  return value < end ? value : incomplete
}

/** Walks the list at `at`. `visit` answers the end of the element, or `incomplete`. */
export function listEnd(
  bytes: Uint8Array,
  at: number,
  end: number,
  visit: (value: number, index: number) => number,
): number {
  let index = spaceEnd(bytes, at + 1, end)
  if (index < end && bytes[index] === closeList) return index + 1
  for (let count = 0; index < end; count++) {
    const after = visit(index, count)
    if (after < 0) return incomplete
    index = spaceEnd(bytes, after, end)
    if (index >= end) return incomplete
    if (bytes[index] === closeList) return index + 1
    if (bytes[index] !== comma) throw new BadJson(index, 'a comma or ] is due here')
    index = spaceEnd(bytes, index + 1, end)
  }
  return incomplete
}

/**
 * The end of the list or object at `at`, by its brackets and quotes alone. For pieces that were judged before or will be:
 * where the bytes are JSON the answer is that of `valueEnd`.
 */
export function bracketsEnd(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!
    if (byte === quote) {
      index++
      while (index < end && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
    } else if ((byte | 0x20) === openObject) {
      depth++
    } else if ((byte | 0x20) === closeObject && --depth === 0) {
      return index + 1
    }
  }
  return incomplete
}
