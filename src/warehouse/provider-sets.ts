import { atomsOf, type Atoms } from './atoms.ts'
import { ListTable, NumberTable, PairTable, TextTable, Uint32List } from './interning.ts'
import type { LabelTable } from './labels.ts'
import type { Stage } from './staged-columns.ts'

const tinLevelFlag = 2

/** What a file says about providers, in terms of the month's lists of pairs. */
export interface FileProviders {
  /** Per definition: its list of pairs and its networks. */
  readonly definitionList: Uint32Array
  readonly definitionNetworks: readonly (readonly string[])[]
  /** Definitions of a reference: `definitions[end[r - 1]] …`. */
  readonly definitionsEnd: Uint32Array
  readonly definitions: Uint32Array
  /** Per group: its list of pairs, where a set names the group itself. */
  readonly groupList: Uint32Array
}

/** Providers of a month: distinct (TIN, NPI) pairs, and the lists of them that files publish. */
export class ProviderLists {
  readonly tins = new TextTable()
  readonly npis = new NumberTable()
  /** TIN, NPI; NPI 0 is a contract at TIN level. */
  readonly pairs = new PairTable()
  readonly lists = new ListTable()
  private readonly names = new Map<number, Map<string, number>>()
  private readonly keepNpi: ((npi: number) => boolean) | undefined

  constructor(keepNpi?: (npi: number) => boolean) {
    this.keepNpi = keepNpi
    // List 0 is empty: references that nothing defines.
    this.lists.id(new Uint32Array(0))
  }

  /** Reads a file's groups and references. Only what its rates use is kept: most published references are used by none. */
  add(stage: Stage, remote: Stage | undefined): FileProviders {
    const groups = new StagedGroups(this, stage)
    const definitionReference = stage.u32('definitions', 'reference')
    const definitionCount = definitionReference.length
    const groupsEnd = stage.i64('definitions', 'groups_end')
    const definitionGroups = stage.u32('definitions', 'groups')
    const networks = stage.u32('definitions', 'networks')
    const location = stage.u32('definitions', 'location')
    const flags = stage.u8('references', 'flags')
    const lists = new StagedLists(stage)
    const elsewhere = remote && new RemoteGroups(this, remote)
    const usedFlag = 2

    const pairs = new Uint32List()
    const definitionList = new Uint32Array(definitionCount)
    const definitionNetworks: (readonly string[])[] = []
    for (let definition = 0; definition < definitionCount; definition++) {
      const used = (flags[definitionReference[definition]!]! & usedFlag) !== 0
      definitionNetworks.push(used ? lists.texts(networks[definition]!) : [])
      if (!used) continue
      pairs.length = 0
      for (let i = definition === 0 ? 0 : groupsEnd[definition - 1]!; i < groupsEnd[definition]!; i++)
        groups.appendPairs(definitionGroups[i]!, pairs)
      if (elsewhere && location[definition] !== 0)
        elsewhere.appendPairs(stage.text(location[definition]!), pairs)
      definitionList[definition] = this.listOf(pairs)
    }
    return {
      definitionList,
      definitionNetworks,
      ...byReference(definitionReference, stage.rows['references'] ?? 0),
      groupList: this.inlineLists(stage, groups),
    }
  }

  private inlineLists(stage: Stage, groups: StagedGroups): Uint32Array {
    const groupList = new Uint32Array(stage.rows['groups'] ?? 0)
    const done = new Uint8Array(groupList.length)
    const pairs = new Uint32List()
    for (const group of stage.u32('sets', 'groups')) {
      if (done[group]) continue
      done[group] = 1
      pairs.length = 0
      groups.appendPairs(group, pairs)
      groupList[group] = this.listOf(pairs)
    }
    return groupList
  }

  /** Keeps a pair unless a targeted ingest leaves its NPI out. */
  pair(tin: number, npi: number): number | undefined {
    if (this.keepNpi && npi !== 0 && !this.keepNpi(npi)) return undefined
    return this.pairs.id(tin, this.npis.id(npi))
  }

  nameTin(tin: number, name: string): void {
    let names = this.names.get(tin)
    if (!names) this.names.set(tin, (names = new Map()))
    names.set(name, (names.get(name) ?? 0) + 1)
  }

  /** The business name that most groups of a TIN bear. */
  tinName(tin: number): string {
    const names = [...(this.names.get(tin) ?? [])]
    return names.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? ''
  }

  private listOf(pairs: Uint32List): number {
    const sorted = pairs.trimmed().sort()
    let kept = 0
    for (let i = 0; i < sorted.length; i++)
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!
    return this.lists.id(sorted, 0, kept)
  }
}

function byReference(definitionReference: Uint32Array, references: number) {
  const definitionsEnd = new Uint32Array(references)
  for (const reference of definitionReference) definitionsEnd[reference]!++
  for (let r = 1; r < references; r++) definitionsEnd[r]! += definitionsEnd[r - 1]!
  const definitions = new Uint32Array(definitionReference.length)
  const next = new Uint32Array(references)
  for (let d = 0; d < definitionReference.length; d++) {
    const reference = definitionReference[d]!
    const start = reference === 0 ? 0 : definitionsEnd[reference - 1]!
    definitions[start + next[reference]!++] = d
  }
  return { definitionsEnd, definitions }
}

/** Groups of one stage, read once each. */
class StagedGroups {
  private readonly providers: ProviderLists
  private readonly stage: Stage
  private readonly tin: Uint32Array
  private readonly businessName: Uint32Array
  private readonly flags: Uint8Array
  private readonly npisEnd: Float64Array
  private readonly npis: Float64Array
  private readonly tinIds: Uint32Array

  constructor(providers: ProviderLists, stage: Stage) {
    this.providers = providers
    this.stage = stage
    this.tin = stage.u32('groups', 'tin')
    this.businessName = stage.u32('groups', 'business_name')
    this.flags = stage.u8('groups', 'flags')
    this.npisEnd = stage.i64('groups', 'npis_end')
    this.npis = stage.i64('groups', 'npis')
    this.tinIds = new Uint32Array(this.tin.length)
  }

  appendPairs(group: number, pairs: Uint32List): void {
    const tin = this.tinOf(group)
    const from = group === 0 ? 0 : this.npisEnd[group - 1]!
    const to = this.npisEnd[group]!
    if (from === to && this.flags[group]! & tinLevelFlag) pairs.push(this.providers.pair(tin, 0)!)
    for (let i = from; i < to; i++) {
      const pair = this.providers.pair(tin, this.npis[i]!)
      if (pair !== undefined) pairs.push(pair)
    }
  }

  private tinOf(group: number): number {
    const known = this.tinIds[group]!
    if (known) return known - 1
    const tin = this.providers.tins.id(this.stage.text(this.tin[group]!))
    this.tinIds[group] = tin + 1
    if (this.businessName[group]) this.providers.nameTin(tin, this.stage.text(this.businessName[group]!))
    return tin
  }
}

/** Groups that a file names by address, staged beside it. */
class RemoteGroups {
  private readonly groups: StagedGroups
  private readonly stage: Stage
  private readonly byAddress = new Map<string, number[]>()
  private readonly groupsEnd: Float64Array
  private readonly definitionGroups: Uint32Array

  constructor(providers: ProviderLists, stage: Stage) {
    this.stage = stage
    this.groups = new StagedGroups(providers, stage)
    this.groupsEnd = stage.i64('definitions', 'groups_end')
    this.definitionGroups = stage.u32('definitions', 'groups')
    const id = stage.u32('references', 'id')
    for (const [definition, reference] of stage.u32('definitions', 'reference').entries()) {
      const address = this.stage.text(id[reference]!)
      this.byAddress.set(address, [...(this.byAddress.get(address) ?? []), definition])
    }
  }

  appendPairs(address: string, pairs: Uint32List): void {
    for (const definition of this.byAddress.get(address) ?? [])
      for (
        let i = definition === 0 ? 0 : this.groupsEnd[definition - 1]!;
        i < this.groupsEnd[definition]!;
        i++
      )
        this.groups.appendPairs(this.definitionGroups[i]!, pairs)
  }
}

/** Lists of texts of one stage: network names, service codes, modifiers. */
export class StagedLists {
  private readonly stage: Stage
  private readonly end: Float64Array
  private readonly items: Uint32Array

  constructor(stage: Stage) {
    this.stage = stage
    this.end = stage.i64('lists', 'end')
    this.items = stage.u32('lists', 'texts')
  }

  texts(list: number): string[] {
    const from = list === 0 ? 0 : this.end[list - 1]!
    return Array.from(this.items.subarray(from, this.end[list]), (text) => this.stage.text(text))
  }
}

/** The providers of a rate object: one part per label, parts share no pair. */
export interface FileSets {
  readonly partsEnd: Uint32Array
  readonly partSet: Uint32Array
  readonly partLabel: Uint32Array
}

/** Sets of a month: each a list of atoms, each content once. Set 0 is empty. */
export class ProviderSets {
  readonly atoms: Atoms
  readonly sets = new ListTable()
  private readonly labels: LabelTable
  private readonly scratch = new Uint32List()

  constructor(providers: ProviderLists, labels: LabelTable) {
    this.labels = labels
    this.atoms = atomsOf(providers.pairs.size, providers.lists)
    this.sets.id(new Uint32Array(0))
  }

  /** The sets of a file, as disjoint parts with one label each. */
  add(
    stage: Stage,
    file: FileProviders,
    plans: readonly string[],
    fileNetworks: readonly string[],
  ): FileSets {
    const plain = this.labels.of(fileNetworks, plans)
    const definitionLabel = Uint32Array.from(file.definitionNetworks, (networks) =>
      networks.length > 0 ? this.labels.of(networks, plans) : plain,
    )
    const count = stage.rows['sets'] ?? 0
    const referencesEnd = stage.i64('sets', 'references_end')
    const references = stage.u32('sets', 'references')
    const groupsEnd = stage.i64('sets', 'groups_end')
    const groups = stage.u32('sets', 'groups')
    const partsEnd = new Uint32Array(count)
    const partSet = new Uint32List()
    const partLabel = new Uint32List()
    const lists = new Uint32List()
    const labels = new Uint32List()
    for (let set = 0; set < count; set++) {
      lists.length = labels.length = 0
      for (let i = set === 0 ? 0 : referencesEnd[set - 1]!; i < referencesEnd[set]!; i++) {
        const reference = references[i]!
        const from = reference === 0 ? 0 : file.definitionsEnd[reference - 1]!
        for (let d = from; d < file.definitionsEnd[reference]!; d++) {
          lists.push(file.definitionList[file.definitions[d]!]!)
          labels.push(definitionLabel[file.definitions[d]!]!)
        }
      }
      for (let i = set === 0 ? 0 : groupsEnd[set - 1]!; i < groupsEnd[set]!; i++) {
        lists.push(file.groupList[groups[i]!]!)
        labels.push(plain)
      }
      for (const [label, id] of this.parts(lists, labels, plain)) {
        partSet.push(id)
        partLabel.push(label)
      }
      partsEnd[set] = partSet.length
    }
    return { partsEnd, partSet: partSet.trimmed(), partLabel: partLabel.trimmed() }
  }

  private parts(lists: Uint32List, labels: Uint32List, plain: number): [label: number, set: number][] {
    let alike = true
    for (let i = 1; i < labels.length; i++) if (labels.values[i] !== labels.values[0]) alike = false
    if (alike) {
      const atoms = this.scratch
      atoms.length = 0
      for (let i = 0; i < lists.length; i++) this.appendAtoms(lists.values[i]!, atoms)
      return [[labels.length > 0 ? labels.values[0]! : plain, this.setOf(atoms)]]
    }
    const labelOf = new Map<number, number>()
    for (let i = 0; i < lists.length; i++) {
      const atoms = this.scratch
      atoms.length = 0
      this.appendAtoms(lists.values[i]!, atoms)
      for (const atom of atoms.trimmed()) {
        const before = labelOf.get(atom)
        const label = labels.values[i]!
        labelOf.set(atom, before === undefined ? label : this.labels.union(before, label))
      }
    }
    if (labelOf.size === 0) return [[labels.values[0]!, 0]]
    return [...this.byLabel(labelOf)]
  }

  /** Atoms gathered under their labels, as sets; in label order. */
  byLabel(labelOf: ReadonlyMap<number, number>): [label: number, set: number][] {
    const gathered = new Map<number, Uint32List>()
    for (const [atom, label] of labelOf) {
      let atoms = gathered.get(label)
      if (!atoms) gathered.set(label, (atoms = new Uint32List()))
      atoms.push(atom)
    }
    return [...gathered].sort(([a], [b]) => a - b).map(([label, atoms]) => [label, this.setOf(atoms)])
  }

  private appendAtoms(list: number, atoms: Uint32List): void {
    atoms.append(this.atoms.items, list === 0 ? 0 : this.atoms.end[list - 1]!, this.atoms.end[list])
  }

  private setOf(atoms: Uint32List): number {
    const sorted = atoms.trimmed().sort()
    let kept = 0
    for (let i = 0; i < sorted.length; i++)
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!
    return this.sets.id(sorted, 0, kept)
  }
}
