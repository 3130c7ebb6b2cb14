import type { Stage } from './staged-columns.ts'

/** Some staged sets that follow each other, and what they name. */
export interface StagedSets {
  readonly from: number
  readonly to: number
  readonly references: Uint32Array
  readonly groups: Uint32Array
  /** How many stand before these in the whole columns. */
  readonly referencesBefore: number
  readonly groupsBefore: number
}

/** So many references and groups are taken at once, where a set has no more. */
const namedAtOnce = 1 << 16

/** Gives the sets of a stage some at a time. */
export function eachStagedSets(
  stage: Stage,
  referencesEnd: Float64Array,
  groupsEnd: Float64Array,
  take: (named: StagedSets) => void,
  atOnce = namedAtOnce,
): void {
  const references = stage.words('sets', 'references', 'u32')
  const groups = stage.words('sets', 'groups', 'u32')
  try {
    for (let from = 0, to = 0; from < referencesEnd.length; from = to) {
      const referencesBefore = from === 0 ? 0 : referencesEnd[from - 1]!
      const groupsBefore = from === 0 ? 0 : groupsEnd[from - 1]!
      const before = referencesBefore + groupsBefore
      to = from + 1
      while (to < referencesEnd.length && referencesEnd[to]! + groupsEnd[to]! - before <= atOnce) to++
      take({
        from,
        to,
        references: references.next(referencesEnd[to - 1]! - referencesBefore),
        groups: groups.next(groupsEnd[to - 1]! - groupsBefore),
        referencesBefore,
        groupsBefore,
      })
    }
  } finally {
    references.close()
    groups.close()
  }
}
