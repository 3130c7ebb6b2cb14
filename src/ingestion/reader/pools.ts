import { digestBytes } from './digest.ts'
import { Interner } from './interner.ts'
import { referenceFlags } from './output.ts'
import type { ReaderMemory } from './reader-module.ts'
import type { StageWriter } from './stage.ts'
import { Words } from './word-list.ts'

/** Memory to digest and copy from. */
interface Place {
  readonly bytes: Uint8Array
  readonly view: DataView
}

const smallReferencesMax = 1_000_000

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
  readonly #smallReferences: Uint32Array
  readonly #memory: ReaderMemory | undefined
  readonly #words = new Words()
  #scratch = Buffer.alloc(4096)
  #scratchView = new DataView(this.#scratch.buffer, this.#scratch.byteOffset, this.#scratch.length)

  /** With the memory of the module, what it needs to know lies there. */
  constructor(stage: StageWriter, memory?: ReaderMemory) {
    this.#stage = stage
    this.#memory = memory
    this.#smallReferences = memory
      ? new Uint32Array(memory.buffer, memory.places.smallReferencesAt, smallReferencesMax)
      : new Uint32Array(smallReferencesMax)
    this.textOf('')
    this.list([])
    this.set(new Words(), 0)
  }

  /** How many texts there are. */
  get texts(): number {
    return this.#stage.tables.texts.end.length
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
    return this.#internGroup(words, words.array, 0, words.length * 4)
  }

  /** The same of a group whose NPIs the module has read. */
  readGroup(tinType: number, tin: number, name: number, flags: number, count: number): number {
    const memory = this.#memory!
    const start = memory.places.groupAt!
    memory.words[start / 4] = tinType
    memory.words[start / 4 + 1] = tin
    memory.words[start / 4 + 2] = name
    memory.words[start / 4 + 3] = flags
    return this.#internGroup(memory, memory.words, start, start + 16 + count * 8)
  }

  #internGroup({ bytes, view }: Place, words: Uint32Array, start: number, end: number): number {
    digestBytes(view, start, end)
    const known = this.#groups.find()
    if (known >= 0) return known
    const { groups } = this.#stage.tables
    const id = groups.tin.length
    this.#groups.add(id)
    groups.tin_type.pushWord(words[start / 4]!)
    groups.tin.pushWord(words[start / 4 + 1]!)
    groups.business_name.pushWord(words[start / 4 + 2]!)
    groups.flags.pushByte(words[start / 4 + 3]!)
    groups.npis.pushBytes(bytes.subarray(start + 16, end))
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

  /** The id of a set of `count` references that ascend and are distinct, as the module has read them at `start`. */
  referenceSet(memory: ReaderMemory, start: number, count: number): number {
    return this.#internSetAt(memory, memory.words, start, count, count)
  }

  #internSet(members: Words, references: number): number {
    return this.#internSetAt(members, members.array, 0, references, members.length)
  }

  #internSetAt(
    { bytes, view }: Place,
    words: Uint32Array,
    start: number,
    references: number,
    count: number,
  ): number {
    digestBytes(view, start, start + count * 4, references)
    const known = this.#sets.find()
    if (known >= 0) return known
    const { sets } = this.#stage.tables
    const id = sets.references_end.length
    this.#sets.add(id)
    const first = start / 4
    for (let index = first; index < first + references; index++) {
      this.#referenceFlags[words[index]!]! |= referenceFlags.used
    }
    const middle = start + references * 4
    sets.references.pushBytes(bytes.subarray(start, middle))
    sets.references_end.pushWhole(sets.references.length)
    if (count > references) sets.groups.pushBytes(bytes.subarray(middle, start + count * 4))
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
