import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { constants, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GzipProblem, inflated } from './inflated.ts'
import { layout } from './inflate-memory.ts'

async function* pieces(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

interface Outcome {
  readonly content: Buffer
  readonly problem: 'cut' | 'damaged' | undefined
}

/** All that comes out, and how it ended; on a thread, or here. */
async function outcome(
  packed: Uint8Array,
  sizes: readonly number[] = [1 << 18],
  thread = false,
): Promise<Outcome> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of inflated(pieces(packed, sizes), thread ? undefined : packed.length))
      chunks.push(Buffer.from(chunk))
    return { content: Buffer.concat(chunks), problem: undefined }
  } catch (error) {
    if (!(error instanceof GzipProblem)) throw error
    return { content: Buffer.concat(chunks), problem: error.kind }
  }
}

const nodeSays = (packed: Uint8Array) => {
  try {
    return gunzipSync(packed)
  } catch {
    return undefined
  }
}

/** Contents from noise to endless repetition, with matches near and far. */
const contents = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(2_000)).map(([unit, times]) => {
        const whole = new Uint8Array(unit.length * times)
        for (let at = 0; at < whole.length; at += unit.length) whole.set(unit, at)
        return whole
      }),
      fc.nat(60_000).map((length) => Uint8Array.from({ length }, (_, at) => 0x30 + ((at * at * 7) % 10))),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts))

const ways = fc.record({
  level: fc.constantFrom(0, 1, 6, 9),
  memLevel: fc.constantFrom(1, 8, 9),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
})
const cuts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 4 })

describe('inflating', () => {
  it('gives back what was packed, in whatever way and in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(contents, { minLength: 1, maxLength: 3 }),
        ways,
        cuts,
        fc.boolean(),
        async (members, way, sizes, thread) => {
          const packed = Buffer.concat(members.map((member) => gzipSync(member, way)))
          const { content, problem } = await outcome(packed, sizes, thread)
          expect(problem).toBeUndefined()
          expect(content.equals(Buffer.concat(members))).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
  }, 60_000)

  it('keeps a file of many slots whole', async () => {
    const line = Array.from({ length: 200_000 }, (_, i) => `${(i * 7919) % 104_729},"x${i % 97}"`).join('\n')
    const content = Buffer.from(line.repeat(16))
    const packed = gzipSync(content, { level: 1 })
    // More than there is room for, packed and unpacked: every place is used again.
    expect(content.length).toBeGreaterThan(layout.slotBytes * layout.slotCount)
    expect(packed.length).toBeGreaterThan(layout.packedBytes * layout.packedCount)
    expect((await outcome(packed, [100_000], true)).content.equals(content)).toBe(true)
    expect((await outcome(packed, [1 << 18])).content.equals(content)).toBe(true)
    const late: Buffer[] = []
    for await (const chunk of inflated(pieces(packed, [1 << 18]))) {
      // By now the thread has filled whatever it may.
      if (late.length === 0) await pause(300)
      late.push(Buffer.from(chunk))
    }
    expect(Buffer.concat(late).equals(content)).toBe(true)
  })

  it('judges spoiled bytes as node:zlib does, and keeps what came before', async () => {
    await fc.assert(
      fc.asyncProperty(
        contents,
        ways,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        cuts,
        async (member, way, place, change, sizes) => {
          const packed = gzipSync(member, way)
          const at = 10 + (place % (packed.length - 10))
          packed[at] = packed[at]! ^ change
          const expected = nodeSays(packed)
          const { content, problem } = await outcome(packed, sizes)
          expect(problem === undefined).toBe(expected !== undefined)
          expect(content.equals(expected ?? content)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  }, 60_000)

  it('keeps what came before the place where a file is cut', async () => {
    await fc.assert(
      fc.asyncProperty(contents, ways, fc.nat(), cuts, async (member, way, place, sizes) => {
        const packed = gzipSync(member, way)
        const { content, problem } = await outcome(
          packed.subarray(0, 1 + (place % (packed.length - 1))),
          sizes,
        )
        expect(problem).toBe('cut')
        expect(member.subarray(0, content.length).equals(content)).toBe(true)
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it('reads headers with every field, and zeroes behind the last member', async () => {
    const content = Buffer.from('{"in_network":[]}')
    const body = deflateRawSync(content)
    const tail = gzipSync(content).subarray(-8)
    const header = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 3]),
      Buffer.from([3, 0, 1, 2, 3]),
      Buffer.from('name.json\0a comment\0'),
      Buffer.from([9, 9]),
    ])
    const packed = Buffer.concat([header, body, tail])
    for (const sizes of [[1], [7], [1_000]]) {
      expect((await outcome(packed, sizes)).content.equals(content)).toBe(true)
      const padded = Buffer.concat([packed, Buffer.alloc(700)])
      expect(await outcome(padded, sizes)).toEqual({ content, problem: undefined })
    }
    expect((await outcome(Buffer.concat([packed, Buffer.from('more and more')]))).problem).toBe('damaged')
  })

  it('passes an error of the source on as itself, and serves the next file', async () => {
    async function* broken() {
      yield gzipSync('x'.repeat(1_000)).subarray(0, 20)
      throw new Error('the line is dead')
    }
    const read = async () => {
      for await (const _ of inflated(broken())) continue
    }
    await expect(read()).rejects.toThrow('the line is dead')
    expect((await outcome(gzipSync('fine'), [3], true)).content.toString()).toBe('fine')
  })
})

it('both sides agree about places', () => {
  const source = readFileSync(join(import.meta.dirname, 'assembly/layout.ts'), 'utf8')
  const constant = (name: string): number => {
    const [, expression = ''] = new RegExp(`export const ${name}: i32 = (.*)`).exec(source) ?? []
    const known = expression.replaceAll(/[a-z]\w+/gi, (other) => String(constant(other)))
    return known.split('+').reduce((sum, part) => {
      const [value = 0, shift = 0] = part.replaceAll(/[()]/g, '').split('<<').map(Number)
      return sum + value * 2 ** shift
    }, 0)
  }
  for (const [name, value] of Object.entries(layout)) expect([name, constant(name)]).toEqual([name, value])
})
