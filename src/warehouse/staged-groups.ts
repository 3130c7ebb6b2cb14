import type { Uint32List } from './interning.ts'
import type { Stage } from './staged-columns.ts'

const tinLevelFlag = 2

/** Takes what groups say: TINs, names, and (TIN, NPI) pairs. */
export interface GroupPairs {
  readonly tins: { id(text: string): number }
  /** The number of a pair; the NPI comes in its lower 32 bits and the rest. */
  pair(tin: number, npiLow: number, npiHigh: number): number
  nameTin(tin: number, name: string): void
}

/** Groups of one stage, read once each. */
export class StagedGroups {
  private readonly providers: GroupPairs
  private readonly stage: Stage
  private readonly tin: Uint32Array
  private readonly businessName: Uint32Array
  private readonly flags: Uint8Array
  private readonly npisEnd: Float64Array
  /** Two words each. */
  private readonly npis: Uint32Array
  private readonly tinIds: Uint32Array

  constructor(providers: GroupPairs, stage: Stage) {
    this.providers = providers
    this.stage = stage
    this.tin = stage.u32('groups', 'tin')
    this.businessName = stage.u32('groups', 'business_name')
    this.flags = stage.u8('groups', 'flags')
    this.npisEnd = stage.i64('groups', 'npis_end')
    this.npis = stage.i64Words('groups', 'npis')
    this.tinIds = new Uint32Array(this.tin.length)
  }

  /** More pairs than these the groups do not have. */
  get pairsMost(): number {
    return this.npis.length / 2 + this.tin.length
  }

  appendPairs(group: number, pairs: Uint32List): void {
    const tin = this.tinOf(group)
    const from = group === 0 ? 0 : this.npisEnd[group - 1]!
    const to = this.npisEnd[group]!
    if (from === to && this.flags[group]! & tinLevelFlag) pairs.push(this.providers.pair(tin, 0, 0))
    for (let i = 2 * from; i < 2 * to; i += 2)
      pairs.push(this.providers.pair(tin, this.npis[i]!, this.npis[i + 1]!))
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
export class RemoteGroups {
  private readonly groups: StagedGroups
  private readonly stage: Stage
  private readonly byAddress = new Map<string, number[]>()
  private readonly groupsEnd: Float64Array
  private readonly definitionGroups: Uint32Array

  constructor(providers: GroupPairs, stage: Stage) {
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
