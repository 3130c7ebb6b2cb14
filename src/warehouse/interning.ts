import { sharedWords } from './shared-arrays.ts'

/** Numbers that grow one by one, without boxing. */
export class Uint32List {
  values: Uint32Array
  length = 0
  /** Whether other threads may see the values. */
  private readonly shared: boolean

  constructor(shared = false) {
    this.shared = shared
    this.values = shared ? sharedWords(32) : new Uint32Array(32)
  }

  push(value: number): number {
    if (this.length === this.values.length) this.reserve(this.length * 2)
    this.values[this.length] = value
    return this.length++
  }

  /** Makes room for so many values in all. */
  reserve(length: number): void {
    if (length <= this.values.length) return
    // By half at least: who asks for a little more each time does not copy everything each time.
    const size = Math.max(length, Math.ceil(this.values.length * 1.5))
    const larger = this.shared ? sharedWords(size) : new Uint32Array(size)
    larger.set(this.values)
    this.values = larger
  }

  /** Adds values `from` to `to`. */
  append(values: Uint32Array, from = 0, to = values.length): void {
    const needed = this.length + to - from
    if (needed > this.values.length) this.reserve(Math.max(needed, this.values.length * 2))
    const into = this.values
    // A view of a few values costs more than they do.
    if (to - from > viewedFrom) into.set(values.subarray(from, to), this.length)
    else for (let i = from, at = this.length; i < to; i++, at++) into[at] = values[i]!
    this.length = needed
  }

  /** Sorts, and keeps each value once. */
  sortDistinct(): void {
    const { values, length } = this
    let at = 1
    while (at < length && values[at - 1]! < values[at]!) at++
    if (at >= length) return
    if (length > viewedFrom) values.subarray(0, length).sort()
    else insertionSort(values, length)
    let kept = 1
    for (let i = 1; i < length; i++) if (values[i] !== values[kept - 1]) values[kept++] = values[i]!
    this.length = kept
  }

  trimmed(): Uint32Array {
    return this.values.subarray(0, this.length)
  }
}

/** From so many values on the native ways, which take their time to begin, are faster than loops. */
const viewedFrom = 48

function insertionSort(values: Uint32Array, length: number): void {
  for (let i = 1; i < length; i++) {
    const value = values[i]!
    let at = i
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!
    values[at] = value
  }
}

const nobody = 0xffff_ffff

// A finaliser of the kind used in hash maps: every input bit reaches every output bit.
function mixed(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

/** Slots for so many entries, at most half of them taken. */
const slotsFor = (entries: number) =>
  new Uint32Array(1 << (33 - Math.clz32(Math.max(entries, 2_048) - 1))).fill(nobody)

/** Pairs of 32-bit numbers, each once: the same pair has the same id. */
export class PairTable {
  readonly first = new Uint32List()
  readonly second = new Uint32List()
  private slots = slotsFor(0)

  get size(): number {
    return this.first.length
  }

  /** Makes room for so many pairs in all. */
  reserve(pairs: number): void {
    this.first.reserve(pairs)
    this.second.reserve(pairs)
    if (pairs * 2 > this.slots.length) this.rehash(pairs)
  }

  id(first: number, second: number): number {
    const { slots } = this
    const firsts = this.first.values
    const seconds = this.second.values
    const mask = slots.length - 1
    let slot = pairHash(first, second) & mask
    for (;;) {
      const id = slots[slot]!
      if (id === nobody) break
      if (firsts[id] === first && seconds[id] === second) return id
      slot = (slot + 1) & mask
    }
    const id = this.first.push(first)
    this.second.push(second)
    slots[slot] = id
    if (this.size * 2 > slots.length) this.rehash(this.size * 2)
    return id
  }

  private rehash(pairs: number): void {
    const slots = slotsFor(pairs)
    const mask = slots.length - 1
    for (let id = 0; id < this.size; id++) {
      let slot = pairHash(this.first.values[id]!, this.second.values[id]!) & mask
      while (slots[slot] !== nobody) slot = (slot + 1) & mask
      slots[slot] = id
    }
    this.slots = slots
  }
}

const pairHash = (first: number, second: number) =>
  mixed(Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca77))

/** Lists of 32-bit numbers, each content once. Compared in full: equal hashes alone never make lists equal. */
export class ListTable {
  readonly end: Uint32List
  readonly items: Uint32List
  private slots = slotsFor(0)
  private readonly hashes = new Uint32List()

  /** Shared: other threads may see the lists. */
  constructor(shared = false) {
    this.end = new Uint32List(shared)
    this.items = new Uint32List(shared)
  }

  get size(): number {
    return this.end.length
  }

  /** Makes room for so many lists and items in all. */
  reserve(lists: number, items: number): void {
    this.end.reserve(lists)
    this.hashes.reserve(lists)
    this.items.reserve(items)
    if (lists * 2 > this.slots.length) this.rehash(lists)
  }

  start(id: number): number {
    return id === 0 ? 0 : this.end.values[id - 1]!
  }

  list(id: number): Uint32Array {
    return this.items.values.subarray(this.start(id), this.end.values[id])
  }

  id(list: Uint32Array, from = 0, to = list.length): number {
    const { slots } = this
    const hashes = this.hashes.values
    const hash = listHash(list, from, to)
    const mask = slots.length - 1
    let slot = hash & mask
    for (;;) {
      const id = slots[slot]!
      if (id === nobody) break
      if (hashes[id] === hash && this.same(id, list, from, to)) return id
      slot = (slot + 1) & mask
    }
    this.items.append(list, from, to)
    const id = this.end.push(this.items.length)
    this.hashes.push(hash)
    slots[slot] = id
    if (this.size * 2 > slots.length) this.rehash(this.size * 2)
    return id
  }

  private same(id: number, list: Uint32Array, from: number, to: number): boolean {
    let at = this.start(id)
    if (this.end.values[id]! - at !== to - from) return false
    for (let i = from; i < to; i++, at++) if (this.items.values[at] !== list[i]) return false
    return true
  }

  private rehash(lists: number): void {
    const slots = slotsFor(lists)
    const mask = slots.length - 1
    for (let id = 0; id < this.size; id++) {
      let slot = this.hashes.values[id]! & mask
      while (slots[slot] !== nobody) slot = (slot + 1) & mask
      slots[slot] = id
    }
    this.slots = slots
  }
}

// One product for each item, every bit of which the finaliser then spreads.
function listHash(list: Uint32Array, from: number, to: number): number {
  let hash = to - from
  for (let i = from; i < to; i++) hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ list[i]!, 0x9e37_79b1)
  return mixed(hash)
}

/** Texts, each once. */
export class TextTable {
  readonly texts: string[] = []
  private readonly ids = new Map<string, number>()

  get size(): number {
    return this.texts.length
  }

  id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) {
      id = this.texts.push(text) - 1
      this.ids.set(text, id)
    }
    return id
  }

  text(id: number): string {
    return this.texts[id]!
  }
}
