import { digestBytes } from './digest.ts'
import { Interner } from './interner.ts'
import { referenceFlags } from './output.ts'
import type { StageWriter } from './stage.ts'

/** A list of words that grows, with its bytes for digesting. */
export class Words {
  array = new Uint32Array(1024)
  bytes = new Uint8Array(this.array.buffer)
  view = new DataView(this.array.buffer)
  length = 0

  push(word: number): void {
    if (this.length === this.array.length) this.#grow()
    this.array[this.length++] = word
  }

  #grow(): void {
    const array = new Uint32Array(this.array.length * 2)
    array.set(this.array)
    this.array = array
    this.bytes = new Uint8Array(array.buffer)
    this.view = new DataView(array.buffer)
  }

  /** Ascending and distinct from `start` on. */
  sortDistinct(start = 0): void {
    const { array } = this
    let sorted = true
    for (let index = start + 1; index < this.length && sorted; index++) {
      sorted = array[index - 1]! < array[index]!
    }
    if (sorted) return
    array.subarray(start, this.length).sort()
    let kept = start + 1
    for (let index = start + 1; index < this.length; index++) {
      if (array[index] !== array[kept - 1]) array[kept++] = array[index]!
    }
    this.length = kept
  }
}

/** Content stored once: gives each text, list, group, set and so on its id, and writes it to the stage when it is new. */
export class Pools {
  readonly #stage: StageWriter
  readonly #texts = new Interner()
  readonly #lists = new Interner()
  readonly #attributes = new Interner()
  readonly #groups = new Interner()
  readonly #sets = new Interner()
  readonly #contained = new Interner()
  // One provider_group_id has one id, always: definitions and uses meet there.
  readonly #references = new Interner(Number.POSITIVE_INFINITY)
  #referenceFlags = new Uint8Array(1024)
  #referenceCount = 0
  readonly #smallReferences = new Uint32Array(1_000_000)
  readonly #words = new Words()
  #scratch = Buffer.alloc(4096)
  #scratchView = new DataView(this.#scratch.buffer, this.#scratch.byteOffset, this.#scratch.length)

  constructor(stage: StageWriter) {
    this.#stage = stage
    this.textOf('')
    this.list([])
    this.set(new Words(), 0)
  }

  /** The id of the text whose UTF-8 stands at `bytes[start…end)`. */
  text(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    digestBytes(view, start, end)
    const known = this.#texts.find()
    if (known >= 0) return known
    const { texts } = this.#stage.tables
    const id = texts.end.length
    this.#texts.add(id)
    texts.bytes.pushBytes(bytes.subarray(start, end))
    texts.end.pushWhole(texts.bytes.length)
    return id
  }

  textOf(text: string): number {
    if (text.length * 3 > this.#scratch.length) {
      this.#scratch = Buffer.alloc(text.length * 3)
      this.#scratchView = new DataView(this.#scratch.buffer, this.#scratch.byteOffset, this.#scratch.length)
    }
    const length = this.#scratch.write(text, 'utf8')
    return this.text(this.#scratch, this.#scratchView, 0, length)
  }

  /** The id of a set of texts, whatever order they come in. */
  list(texts: readonly string[]): number {
    const words = this.#words
    words.length = 0
    for (const text of [...new Set(texts)].sort()) words.push(this.textOf(text))
    digestBytes(words.view, 0, words.length * 4)
    const known = this.#lists.find()
    if (known >= 0) return known
    const { lists } = this.#stage.tables
    const id = lists.end.length
    this.#lists.add(id)
    lists.texts.pushBytes(words.bytes.subarray(0, words.length * 4))
    lists.end.pushWhole(lists.texts.length)
    return id
  }

  attributes(
    negotiatedType: number,
    billingClass: number,
    setting: number,
    expirationDate: number,
    serviceCodes: number,
    modifiers: number,
  ): number {
    const words = this.#words
    words.length = 0
    words.push(negotiatedType)
    words.push(billingClass)
    words.push(setting)
    words.push(expirationDate)
    words.push(serviceCodes)
    words.push(modifiers)
    digestBytes(words.view, 0, 24)
    const known = this.#attributes.find()
    if (known >= 0) return known
    const { attributes } = this.#stage.tables
    const id = attributes.negotiated_type.length
    this.#attributes.add(id)
    attributes.negotiated_type.pushWord(negotiatedType)
    attributes.billing_class.pushWord(billingClass)
    attributes.setting.pushWord(setting)
    attributes.expiration_date.pushWord(expirationDate)
    attributes.service_codes.pushWord(serviceCodes)
    attributes.modifiers.pushWord(modifiers)
    return id
  }

  /** The id of a TIN with NPIs that ascend and are distinct. */
  group(
    tinType: number,
    tin: number,
    name: number,
    flags: number,
    npis: Float64Array,
    count: number,
  ): number {
    const words = this.#words
    words.length = 0
    words.push(tinType)
    words.push(tin)
    words.push(name)
    words.push(flags)
    for (let index = 0; index < count; index++) {
      const npi = npis[index]!
      const high = npi >= 8_589_934_592 ? 2 : npi >= 4_294_967_296 ? 1 : 0
      words.push(npi - high * 4_294_967_296)
      words.push(high)
    }
    digestBytes(words.view, 0, words.length * 4)
    const known = this.#groups.find()
    if (known >= 0) return known
    const { groups } = this.#stage.tables
    const id = groups.tin.length
    this.#groups.add(id)
    groups.tin_type.pushWord(tinType)
    groups.tin.pushWord(tin)
    groups.business_name.pushWord(name)
    groups.flags.pushByte(flags)
    groups.npis.pushBytes(words.bytes.subarray(16, words.length * 4))
    groups.npis_end.pushWhole(groups.npis.length)
    return id
  }

  /** The id of a set: `members` holds `references` reference ids, then group ids. Sorts both. */
  set(members: Words, references: number): number {
    if (references === members.length) members.sortDistinct()
    else if (references === 0) members.sortDistinct()
    else throw new Error('a set of both kinds is made by unite')
    return this.#internSet(members, references === 0 ? 0 : members.length)
  }

  #internSet(members: Words, references: number): number {
    digestBytes(members.view, 0, members.length * 4, references)
    const known = this.#sets.find()
    if (known >= 0) return known
    const { sets } = this.#stage.tables
    const id = sets.references_end.length
    this.#sets.add(id)
    for (let index = 0; index < references; index++) {
      this.#referenceFlags[members.array[index]!]! |= referenceFlags.used
    }
    sets.references.pushBytes(members.bytes.subarray(0, references * 4))
    sets.references_end.pushWhole(sets.references.length)
    sets.groups.pushBytes(members.bytes.subarray(references * 4, members.length * 4))
    sets.groups_end.pushWhole(sets.groups.length)
    return id
  }

  /**
   * The set of a rate object that names references and groups both, which the schema forbids and some files do.
   * The contents are read back from the stage; a reader without a stage only needs to tell the sets apart.
   */
  unite(references: number, groups: number): number {
    const members = new Words()
    let split = 0
    if (this.#stage.onDisk) {
      this.#readSet('references', references, members)
      split = members.length
      this.#readSet('groups', groups, members)
    } else {
      members.push(references)
      split = 1
      members.push(groups)
    }
    return this.#internSet(members, split)
  }

  #readSet(part: 'references' | 'groups', id: number, into: Words): void {
    const { sets } = this.#stage.tables
    const ends = sets[`${part}_end`]
    const from = id === 0 ? 0 : Number(new BigInt64Array(ends.read(id - 1, id).buffer)[0])
    const to = Number(new BigInt64Array(ends.read(id, id + 1).buffer)[0])
    for (const word of new Uint32Array(sets[part].read(from, to).buffer)) into.push(word)
  }

  contained(codeType: number, version: number, code: number, description: number): number {
    const words = this.#words
    words.length = 0
    words.push(codeType)
    words.push(version)
    words.push(code)
    words.push(description)
    digestBytes(words.view, 0, 16)
    const known = this.#contained.find()
    if (known >= 0) return known
    const { contained } = this.#stage.tables
    const id = contained.code.length
    this.#contained.add(id)
    contained.code_type.pushWord(codeType)
    contained.code_type_version.pushWord(version)
    contained.code.pushWord(code)
    contained.description.pushWord(description)
    return id
  }

  /** The reference of a provider_group_id, given as the bytes of its canonical text. */
  reference(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    digestBytes(view, start, end)
    const known = this.#references.find()
    if (known >= 0) return known
    const id = this.#referenceCount++
    this.#references.add(id)
    if (id === this.#referenceFlags.length) {
      const flags = new Uint8Array(id * 2)
      flags.set(this.#referenceFlags)
      this.#referenceFlags = flags
    }
    this.#stage.tables.references.id.pushWord(this.text(bytes, view, start, end))
    return id
  }

  /** The reference of a whole number below a million, where it was met before; -1 otherwise. */
  smallReference(number: number): number {
    return this.#smallReferences[number]! - 1
  }

  noteSmallReference(number: number, reference: number): void {
    this.#smallReferences[number] = reference + 1
  }

  referenceOf(text: string): number {
    const bytes = Buffer.from(text)
    return this.reference(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length)
  }

  /** Marks a reference as defined. Answers whether it was so before. */
  define(reference: number): boolean {
    const before = (this.#referenceFlags[reference]! & referenceFlags.defined) !== 0
    this.#referenceFlags[reference]! |= referenceFlags.defined
    return before
  }

  isDefined(reference: number): boolean {
    return (this.#referenceFlags[reference]! & referenceFlags.defined) !== 0
  }

  /** Writes what is only known at the end, and counts it. */
  finish(): { defined: number; used: number; unused: number; undefined: number } {
    const counts = { defined: 0, used: 0, unused: 0, undefined: 0 }
    const { flags } = this.#stage.tables.references
    for (let id = 0; id < this.#referenceCount; id++) {
      const flag = this.#referenceFlags[id]!
      flags.pushByte(flag)
      const defined = (flag & referenceFlags.defined) !== 0
      const used = (flag & referenceFlags.used) !== 0
      if (defined) counts.defined++
      if (used) counts.used++
      if (defined && !used) counts.unused++
      if (used && !defined) counts.undefined++
    }
    return counts
  }
}
