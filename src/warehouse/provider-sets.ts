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
    atoms.sortDistinct()
    return this.sets.id(atoms.values, 0, atoms.length)
  }
}
