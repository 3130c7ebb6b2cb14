import { TextTable } from './interning.ts'
import { order } from './terms.ts'

/** Under which networks and plans an entry is published: numbers of the network and plan lists, ascending. */
export interface Label {
  readonly networks: readonly number[]
  readonly plans: readonly number[]
}

/** Labels, each once, and their unions. */
export class LabelTable {
  readonly networks = new TextTable()
  readonly plans = new TextTable()
  readonly labels: Label[] = []
  private readonly ids = new Map<string, number>()
  private readonly unions = new Map<number, number>()

  of(networks: readonly string[], plans: readonly string[]): number {
    return this.id({
      networks: ascending(networks.map((name) => this.networks.id(name))),
      plans: ascending(plans.map((name) => this.plans.id(name))),
    })
  }

  /** The label of an entry that was met under both. */
  union(a: number, b: number): number {
    if (a === b) return a
    const key = Math.min(a, b) * 0x400_0000 + Math.max(a, b)
    let union = this.unions.get(key)
    if (union === undefined) {
      const [one, other] = [this.labels[a]!, this.labels[b]!]
      union = this.id({
        networks: ascending([...one.networks, ...other.networks]),
        plans: ascending([...one.plans, ...other.plans]),
      })
      this.unions.set(key, union)
    }
    return union
  }

  private id(label: Label): number {
    const key = `${label.networks.join()}|${label.plans.join()}`
    let id = this.ids.get(key)
    if (id === undefined) {
      id = this.labels.push(label) - 1
      this.ids.set(key, id)
    }
    return id
  }
}

const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)

/** How many entries carry each name, most frequent first, then by name. */
export function nameCounts(
  names: readonly string[],
  labels: readonly Label[],
  side: 'networks' | 'plans',
  entriesByLabel: ArrayLike<number>,
): { name: string; count: number }[] {
  const counts = names.map(() => 0)
  for (const [index, label] of labels.entries())
    for (const name of label[side]) counts[name]! += entriesByLabel[index] ?? 0
  return names
    .map((name, index) => ({ name, count: counts[index]! }))
    .sort((a, b) => b.count - a.count || order(a.name, b.name))
}
