import { Failure } from '../errors.ts'
import { type MedicareAmounts, medicareAmounts } from '../medicare/amounts.ts'
import { openBaselines } from '../medicare/baseline.ts'
import { type CodeGroup, openCodeGroups } from '../medicare/code-groups.ts'
import type { MedicareStore } from '../medicare/store.ts'

/** What pricing asks of the Medicare tables. Where none are loaded, there is nothing to compare with and no group. */
export interface MedicareReferences {
  readonly medicare: (year: number) => Promise<MedicareAmounts | undefined>
  readonly codeGroup: () => Promise<((type: string, code: string) => CodeGroup | undefined) | undefined>
  /** Names the loaded tables. */
  readonly version: () => Promise<string>
}

/** Follows the Medicare tables; the amounts of a year are read once for each state of them. */
export function medicareReferences(store: MedicareStore): MedicareReferences {
  const baselines = openBaselines(store)
  const groups = openCodeGroups(store)
  const kept = new Map<number, { build: string; amounts: Promise<MedicareAmounts> }>()

  return {
    version: async () => (await buildOf(store)) ?? '',
    async medicare(year) {
      const build = await buildOf(store)
      // A year without tables has nothing to compare with: an empty answer would not say so.
      if (build === undefined || (await baselines(year)) === undefined) return undefined
      let held = kept.get(year)
      if (held?.build !== build) {
        held = { build, amounts: medicareAmounts(baselines, [year]) }
        kept.set(year, held)
      }
      return held.amounts
    },
    async codeGroup() {
      const build = await buildOf(store)
      if (build === undefined) return undefined
      const found = await groups()
      return (type, code) => found.of(type, code)
    },
  }
}

async function buildOf(store: MedicareStore): Promise<string | undefined> {
  try {
    return (await store.tables()).build
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_loaded') return undefined
    throw error
  }
}
