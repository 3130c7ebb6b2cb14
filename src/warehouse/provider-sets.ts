import { atomsOf, type Atoms } from './atoms.ts'
import { ListTable, Uint32List } from './interning.ts'
import type { LabelTable } from './labels.ts'
import type { FileProviders, ProviderLists } from './provider-lists.ts'
import type { SetColumns } from './set-sizes.ts'
import type { Stage } from './staged-columns.ts'
import { eachStagedSets } from './staged-sets.ts'

/** The providers of a rate object: one part per label, parts share no pair. */
export interface FileSets {
  readonly partsEnd: Uint32Array
  readonly partSet: Uint32Array
  readonly partLabel: Uint32Array
}

/** Sets of a month: each a list of atoms, each content once. Set 0 is empty. */
export class ProviderSets {
  readonly atoms: Atoms
  readonly sets = new ListTable(true)
  private readonly labels: LabelTable
  private readonly scratch = new Uint32List()

  constructor(providers: ProviderLists, labels: LabelTable) {
    this.labels = labels
    this.atoms = atomsOf(providers.pairs.size, providers.lists)
    this.sets.id(new Uint32Array(0))
  }

  /** All sets so far. */
  columns(): SetColumns {
    const { end, items } = this.sets
    return { sets: end.length, atoms: items.length, end: end.values, items: items.values }
  }

  /** The sets of a file, as disjoint parts with one label each; none where providers were asked for and the set holds none of them. */
  add(
    stage: Stage,
    file: FileProviders,
    plans: readonly string[],
    fileNetworks: readonly string[],
    added?: () => void,
  ): FileSets {
    const plain = this.labels.of(fileNetworks, plans)
    const definitionLabel = Uint32Array.from(file.definitionNetworks, (networks) =>
      networks.length > 0 ? this.labels.of(networks, plans) : plain,
    )
    const referencesEnd = stage.i64('sets', 'references_end')
    const groupsEnd = stage.i64('sets', 'groups_end')
    const parts = new SetParts(referencesEnd.length)
    this.sets.reserve(
      this.sets.size + referencesEnd.length,
      this.sets.items.length + (referencesEnd.at(-1) ?? 0) + (groupsEnd.at(-1) ?? 0),
    )
    const alike = new AlikeSets(this.atoms, file, definitionLabel, plain)
    const lists = new Uint32List()
    const labels = new Uint32List()
    eachStagedSets(stage, referencesEnd, groupsEnd, (named) => {
      const { references, groups } = named
      for (let set = named.from; set < named.to; set++) {
        const referencesFrom = (set === 0 ? 0 : referencesEnd[set - 1]!) - named.referencesBefore
        const referencesTo = referencesEnd[set]! - named.referencesBefore
        const groupsFrom = (set === 0 ? 0 : groupsEnd[set - 1]!) - named.groupsBefore
        const groupsTo = groupsEnd[set]! - named.groupsBefore
        if (
          alike.addReferences(references, referencesFrom, referencesTo) &&
          alike.addGroups(groups, groupsFrom, groupsTo)
        ) {
          const id = this.setOf(alike.atoms)
          if (id !== 0 || !stage.providersAsked) parts.add(id, alike.label)
          parts.endSet(set)
          continue
        }
        lists.length = labels.length = 0
        for (let i = referencesFrom; i < referencesTo; i++) {
          const reference = references[i]!
          const from = reference === 0 ? 0 : file.definitionsEnd[reference - 1]!
          for (let d = from; d < file.definitionsEnd[reference]!; d++) {
            lists.push(file.definitionList[file.definitions[d]!]!)
            labels.push(definitionLabel[file.definitions[d]!]!)
          }
        }
        for (let i = groupsFrom; i < groupsTo; i++) {
          lists.push(file.groupList[groups[i]!]!)
          labels.push(plain)
        }
        for (const [label, id] of this.parts(lists, labels))
          if (id !== 0 || !stage.providersAsked) parts.add(id, label)
        parts.endSet(set)
      }
      added?.()
    })
    return parts.done()
  }

  /** A set whose lists have several labels. */
  private parts(lists: Uint32List, labels: Uint32List): [label: number, set: number][] {
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
    atoms.sortDistinct()
    return this.sets.id(atoms.values, 0, atoms.length)
  }
}

/** Parts of sets as they are found. */
class SetParts {
  private readonly partsEnd: Uint32Array
  private readonly partSet = new Uint32List()
  private readonly partLabel = new Uint32List()

  constructor(sets: number) {
    this.partsEnd = new Uint32Array(sets)
    this.partSet.reserve(sets)
    this.partLabel.reserve(sets)
  }

  add(set: number, label: number): void {
    this.partSet.push(set)
    this.partLabel.push(label)
  }

  endSet(set: number): void {
    this.partsEnd[set] = this.partSet.length
  }

  done(): FileSets {
    return {
      partsEnd: this.partsEnd,
      partSet: this.partSet.trimmed(),
      partLabel: this.partLabel.trimmed(),
    }
  }
}

/** What stands for a reference where it is not one atom: it has no definition, several, or one of no or more atoms. */
const undefinedReference = 0xffff_ffff
const severalDefinitions = 0xffff_fffe
const otherThanOneAtom = 0xffff_fffd
const none = 0xffff_ffff

/**
 * The quick way for what nearly all sets are: references with one definition each, and groups, all with the same label.
 * Where a set is not like that the answer is false, and nothing of it counts.
 */
class AlikeSets {
  readonly atoms = new Uint32List()
  /** The atom of a reference's one definition, or one of the above. */
  private readonly atomOf: Uint32Array
  private readonly listOf: Uint32Array
  private readonly labelOf: Uint32Array
  private readonly all: Atoms
  private readonly file: FileProviders
  private readonly plain: number
  private found = none

  constructor(all: Atoms, file: FileProviders, definitionLabel: Uint32Array, plain: number) {
    this.all = all
    this.file = file
    this.plain = plain
    const references = file.definitionsEnd.length
    this.atomOf = new Uint32Array(references)
    this.listOf = new Uint32Array(references)
    this.labelOf = new Uint32Array(references)
    for (let reference = 0, from = 0; reference < references; reference++) {
      const to = file.definitionsEnd[reference]!
      this.atomOf[reference] = undefinedReference
      if (to > from + 1) this.atomOf[reference] = severalDefinitions
      else if (to === from + 1) {
        const definition = file.definitions[from]!
        const list = file.definitionList[definition]!
        const atoms = this.atomsFrom(list)
        this.atomOf[reference] = all.end[list]! - atoms === 1 ? all.items[atoms]! : otherThanOneAtom
        this.listOf[reference] = list
        this.labelOf[reference] = definitionLabel[definition]!
      }
      from = to
    }
  }

  /** The label of the set; the file's own where nothing has one. */
  get label(): number {
    return this.found === none ? this.plain : this.found
  }

  /** Begins a set with its references. */
  addReferences(references: Uint32Array, from: number, to: number): boolean {
    const { atoms, atomOf, labelOf } = this
    atoms.length = 0
    this.found = none
    atoms.reserve(to - from)
    let { values } = atoms
    let length = 0
    let found = none
    for (let i = from; i < to; i++) {
      const reference = references[i]!
      const atom = atomOf[reference]!
      if (atom === undefinedReference) continue
      if (atom === severalDefinitions) return false
      const label = labelOf[reference]!
      if (label !== found) {
        if (found !== none) return false
        found = label
      }
      if (atom !== otherThanOneAtom) values[length++] = atom
      else {
        atoms.length = length
        this.addList(this.listOf[reference]!)
        length = atoms.length
        atoms.reserve(length + to - i)
        values = atoms.values
      }
    }
    atoms.length = length
    this.found = found
    return true
  }

  addGroups(groups: Uint32Array, from: number, to: number): boolean {
    if (from === to) return true
    if (this.found !== none && this.found !== this.plain) return false
    this.found = this.plain
    for (let i = from; i < to; i++) this.addList(this.file.groupList[groups[i]!]!)
    return true
  }

  private addList(list: number): void {
    this.atoms.append(this.all.items, this.atomsFrom(list), this.all.end[list])
  }

  private atomsFrom(list: number): number {
    return list === 0 ? 0 : this.all.end[list - 1]!
  }
}
