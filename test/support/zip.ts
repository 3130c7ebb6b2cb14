import { crc32, deflateRawSync } from 'node:zlib'

interface File {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A zip archive for tests; `wide` writes every size and offset in its 64-bit form. */
export function zipOf(files: readonly File[], options: { wide?: boolean } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(options.wide ? 45 : 20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(options.wide ? 0xffffffff : packed.length, 14)
    common.writeUInt32LE(options.wide ? 0xffffffff : bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const sizes = options.wide ? wideField([bytes.length, packed.length]) : Buffer.alloc(0)
    const places = options.wide ? wideField([bytes.length, packed.length, offset]) : Buffer.alloc(0)
    const local = Buffer.concat([signature(0x04034b50), common, Buffer.from(name), sizes, packed])
    local.writeUInt16LE(sizes.length, 28)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(options.wide ? 0xffffffff : offset, 10)
    const entry = Buffer.concat([
      signature(0x02014b50),
      Buffer.from([45, 0]),
      common,
      tail,
      Buffer.from(name),
      places,
    ])
    entry.writeUInt16LE(places.length, 30)
    parts.push(local)
    directory.push(entry)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = options.wide ? 0xffff : files.length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(options.wide ? 0xffffffff : central.length, 8)
  end.writeUInt32LE(options.wide ? 0xffffffff : offset, 12)
  const wideEnd = options.wide ? wideEndOf(files.length, central.length, offset) : Buffer.alloc(0)
  return Buffer.concat([...parts, central, wideEnd, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function wideField(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + values.length * 8)
  bytes.writeUInt16LE(1, 0)
  bytes.writeUInt16LE(values.length * 8, 2)
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  return bytes
}

function wideEndOf(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}
