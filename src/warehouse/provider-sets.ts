import { atomsOf, type Atoms } from './atoms.ts'
import { ListTable, Uint32List } from './interning.ts'
import type { LabelTable } from './labels.ts'
import type { FileProviders, ProviderLists } from './provider-lists.ts'
import type { Stage } from './staged-columns.ts'

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

  /** The sets of a file, as disjoint parts with one label each; none where providers were asked for and the set holds none of them. */
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
    const alike = new AlikeSets(this.atoms, file, definitionLabel, plain)
    for (let set = 0; set < count; set++) {
      const referencesFrom = set === 0 ? 0 : referencesEnd[set - 1]!
      const groupsFrom = set === 0 ? 0 : groupsEnd[set - 1]!
      if (
        alike.addReferences(references, referencesFrom, referencesEnd[set]!) &&
        alike.addGroups(groups, groupsFrom, groupsEnd[set]!)
      ) {
        const id = this.setOf(alike.atoms)
        if (id !== 0 || !stage.providersAsked) {
          partSet.push(id)
          partLabel.push(alike.label)
        }
        partsEnd[set] = partSet.length
        continue
      }
      lists.length = labels.length = 0
      for (let i = referencesFrom; i < referencesEnd[set]!; i++) {
        const reference = references[i]!
        const from = reference === 0 ? 0 : file.definitionsEnd[reference - 1]!
        for (let d = from; d < file.definitionsEnd[reference]!; d++) {
          lists.push(file.definitionList[file.definitions[d]!]!)
          labels.push(definitionLabel[file.definitions[d]!]!)
        }
      }
      for (let i = groupsFrom; i < groupsEnd[set]!; i++) {
        lists.push(file.groupList[groups[i]!]!)
        labels.push(plain)
      }
      for (const [label, id] of this.parts(lists, labels)) {
        if (id === 0 && stage.providersAsked) continue
        partSet.push(id)
        partLabel.push(label)
      }
      partsEnd[set] = partSet.length
    }
    return { partsEnd, partSet: partSet.trimmed(), partLabel: partLabel.trimmed() }
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

const none = 0xffff_ffff
const several = 0xffff_fffe

/**
 * The quick way for what nearly all sets are: references with one definition each, and groups, all with the same label.
 * Where a set is not like that the answer is false, and nothing of it counts.
 */
class AlikeSets {
  readonly atoms = new Uint32List()
  /** The one definition of a reference; `none` where it has none, `several` where more. */
  private readonly definitionOf: Uint32Array
  private readonly all: Atoms
  private readonly file: FileProviders
  private readonly labelOf: Uint32Array
  private readonly plain: number
  private found = none

  constructor(all: Atoms, file: FileProviders, definitionLabel: Uint32Array, plain: number) {
    this.all = all
    this.file = file
    this.labelOf = definitionLabel
    this.plain = plain
    this.definitionOf = new Uint32Array(file.definitionsEnd.length)
    for (let reference = 0, from = 0; reference < this.definitionOf.length; reference++) {
      const to = file.definitionsEnd[reference]!
      this.definitionOf[reference] = to === from ? none : to === from + 1 ? file.definitions[from]! : several
      from = to
    }
  }

  /** The label of the set; the file's own where nothing has one. */
  get label(): number {
    return this.found === none ? this.plain : this.found
  }

  /** Begins a set with its references. */
  addReferences(references: Uint32Array, from: number, to: number): boolean {
    this.atoms.length = 0
    this.found = none
    for (let i = from; i < to; i++) {
      const definition = this.definitionOf[references[i]!]!
      if (definition === none) continue
      if (definition === several || !this.fits(this.labelOf[definition]!)) return false
      this.addList(this.file.definitionList[definition]!)
    }
    return true
  }

  addGroups(groups: Uint32Array, from: number, to: number): boolean {
    if (from < to && !this.fits(this.plain)) return false
    for (let i = from; i < to; i++) this.addList(this.file.groupList[groups[i]!]!)
    return true
  }

  private fits(label: number): boolean {
    if (this.found === none) this.found = label
    return this.found === label
  }

  private addList(list: number): void {
    this.atoms.append(this.all.items, list === 0 ? 0 : this.all.end[list - 1]!, this.all.end[list])
  }
}
