import { Interner, scratchPlace, type Interning, type Place } from './interner.ts'
import type { ReaderMemory } from './reader-module.ts'
import { ReferencePool } from './reference-pool.ts'
import type { StageWriter } from './stage.ts'
import { Words } from './word-list.ts'

/** What the module has for the pools: its memory, and the tables in which it numbers content too. */
export interface SharedPools {
  readonly memory: ReaderMemory
  readonly texts: Interning
  readonly groups: Interning
  readonly sets: Interning
}

/** Tells a pair of sets from a set with the same numbers. */
const unitedSeed = -1

/** Content stored once: gives each text, list, group, set and so on its id, and writes it to the stage when it is new. */
export class Pools {
  readonly references: ReferencePool
  readonly #stage: StageWriter
  readonly #texts: Interning
  readonly #lists = new Interner()
  readonly #attributes = new Interner()
  readonly #groups: Interning
  readonly #sets: Interning
  readonly #contained = new Interner()
  readonly #memory: ReaderMemory | undefined
  readonly #words = new Words()
  #scratch = scratchPlace(4096)

  /** With what the module has, it knows what the pools know. */
  constructor(stage: StageWriter, shared?: SharedPools) {
    const memory = shared?.memory
    this.#stage = stage
    this.#memory = memory
    this.#texts = shared?.texts ?? new Interner()
    this.#groups = shared?.groups ?? new Interner()
    this.#sets = shared?.sets ?? new Interner()
    this.references = new ReferencePool(stage, (place, start, end) => this.text(place, start, end), memory)
    this.textOf('')
    this.list([])
    this.set(new Words(), 0)
  }

  /** How many texts there are. */
  get texts(): number {
    return this.#stage.tables.texts.end.length
  }

  /** The id of the text whose UTF-8 stands at `start…end`. */
  text(place: Place, start: number, end: number): number {
    const known = this.#texts.find(place, start, end)
    if (known >= 0) return known
    const { texts } = this.#stage.tables
    const id = texts.end.length
    this.#texts.add(id)
    texts.bytes.pushBytes(place.bytes.subarray(start, end))
    texts.end.pushWhole(texts.bytes.length)
    return id
  }

  textOf(text: string): number {
    if (text.length * 3 > this.#scratch.bytes.length) this.#scratch = scratchPlace(text.length * 3)
    return this.text(this.#scratch, 0, this.#scratch.bytes.write(text, 'utf8'))
  }

  /** The id of a set of texts, whatever order they come in. */
  list(texts: readonly string[]): number {
    const words = this.#words
    words.length = 0
    for (const text of [...new Set(texts)].sort()) words.push(this.textOf(text))
    const known = this.#lists.find(words, 0, words.length * 4)
    if (known >= 0) return known
    const { lists } = this.#stage.tables
    const id = lists.end.length
    this.#lists.add(id)
    lists.texts.pushBytes(words.bytes.subarray(0, words.length * 4))
    lists.end.pushWhole(lists.texts.length)
    return id
  }

  /** Tells the module which list of networks stands at `start…end`: definitions that follow mostly have the same. */
  noteNetworks({ bytes }: Place, start: number, end: number, list: number): void {
    const memory = this.#memory
    if (!memory) return
    const { networksAt, networksMax, regNetworks } = memory.places
    const fits = end - start <= networksMax!
    if (fits) memory.bytes.set(bytes.subarray(start, end), networksAt)
    memory.words[regNetworks! / 4] = fits ? end - start : 0
    memory.words[regNetworks! / 4 + 1] = list
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
    const known = this.#attributes.find(words, 0, 24)
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

  /** The same of a group whose NPIs the module has read. Its TIN is an EIN, so from now on the module knows how that is written. */
  readGroup(tinType: number, tin: number, name: number, flags: number, count: number): number {
    const memory = this.#memory!
    const start = memory.places.groupAt!
    this.noteTinType('regEin', tinType)
    memory.words[start / 4] = tinType
    memory.words[start / 4 + 1] = tin
    memory.words[start / 4 + 2] = name
    memory.words[start / 4 + 3] = flags
    return this.#internGroup(memory, memory.words, start, start + 16 + count * 8)
  }

  /** Tells the module the number of a text that says what kind of number a TIN is. */
  noteTinType(register: 'regEin' | 'regNpi', text: number): void {
    if (this.#memory) this.#memory.words[this.#memory.places[register]! / 4] = text
  }

  #internGroup(place: Place, words: Uint32Array, start: number, end: number): number {
    const known = this.#groups.find(place, start, end)
    if (known >= 0) return known
    const { groups } = this.#stage.tables
    const id = groups.tin.length
    this.#groups.add(id)
    groups.tin_type.pushWord(words[start / 4]!)
    groups.tin.pushWord(words[start / 4 + 1]!)
    groups.business_name.pushWord(words[start / 4 + 2]!)
    groups.flags.pushByte(words[start / 4 + 3]!)
    groups.npis.pushBytes(place.bytes.subarray(start + 16, end))
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
    const { array, bytes, length } = members
    const known = this.#sets.find(members, 0, length * 4, references)
    if (known >= 0) return known
    const { sets } = this.#stage.tables
    const id = sets.references_end.length
    this.#sets.add(id)
    for (let index = 0; index < references; index++) this.references.use(array[index]!)
    sets.references.pushBytes(bytes.subarray(0, references * 4))
    sets.references_end.pushWhole(sets.references.length)
    if (length > references) sets.groups.pushBytes(bytes.subarray(references * 4, length * 4))
    sets.groups_end.pushWhole(sets.groups.length)
    return id
  }

  /**
   * The set of a rate object that names references and groups both, which the schema forbids and some files do.
   * The contents are read back from the stage; a reader without a stage only needs to tell the sets apart.
   */
  unite(references: number, groups: number): number {
    const members = new Words()
    if (!this.#stage.onDisk) {
      members.push(references)
      members.push(groups)
      return this.#internUnited(members)
    }
    this.#readSet('references', references, members)
    const split = members.length
    this.#readSet('groups', groups, members)
    return this.#internSet(members, split)
  }

  #internUnited(pair: Words): number {
    const known = this.#sets.find(pair, 0, pair.length * 4, unitedSeed)
    if (known >= 0) return known
    const { sets } = this.#stage.tables
    const id = sets.references_end.length
    this.#sets.add(id)
    sets.references_end.pushWhole(sets.references.length)
    sets.groups_end.pushWhole(sets.groups.length)
    return id
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
    const known = this.#contained.find(words, 0, 16)
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
}
