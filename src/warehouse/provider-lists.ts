import { ListTable, PairTable, TextTable, Uint32List } from './interning.ts'
import type { PairContent } from './provider-columns.ts'
import type { Stage } from './staged-columns.ts'
import { RemoteGroups, StagedGroups } from './staged-groups.ts'
import { StagedLists } from './staged-lists.ts'

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
  /** NPI 0 is a contract at TIN level. An NPI may need 34 bits: the two upper ones stand beside the TIN. */
  readonly pairs = new PairTable()
  readonly lists = new ListTable()
  private readonly names = new Map<number, Map<string, number>>()

  constructor() {
    // List 0 is empty: references that nothing defines.
    this.lists.id(new Uint32Array(0))
  }

  /** Reads a file's groups and references. Only what its rates use is kept: most published references are used by none. */
  add(stage: Stage, remote: Stage | undefined): FileProviders {
    const groups = new StagedGroups(this, stage)
    this.pairs.reserve(this.pairs.size + groups.pairsMost)
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

  pair(tin: number, npiLow: number, npiHigh: number): number {
    return this.pairs.id(tin * 4 + npiHigh, npiLow)
  }

  /** Pairs by themselves. */
  pairContent(): Omit<PairContent, 'atom' | 'atoms'> {
    const { first, second, size } = this.pairs
    const tin = new Uint32Array(size)
    const npiHigh = new Uint32Array(size)
    for (let pair = 0; pair < size; pair++) {
      tin[pair] = first.values[pair]! >>> 2
      npiHigh[pair] = first.values[pair]! & 3
    }
    const tinNames = this.tins.texts.map((_, id) => this.tinName(id))
    return { tins: this.tins.texts, tinNames, tin, npiLow: second.trimmed(), npiHigh }
  }

  nameTin(tin: number, name: string): void {
    let names = this.names.get(tin)
    if (!names) this.names.set(tin, (names = new Map()))
    names.set(name, (names.get(name) ?? 0) + 1)
  }

  /** The business name that most groups of a TIN bear. */
  tinName(tin: number): string {
    const names = [...(this.names.get(tin) ?? [])]
    if (names.length < 2) return names[0]?.[0] ?? ''
    return names.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? ''
  }

  private listOf(pairs: Uint32List): number {
    pairs.sortDistinct()
    return this.lists.id(pairs.values, 0, pairs.length)
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
