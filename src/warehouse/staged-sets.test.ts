import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Stage } from './staged-columns.ts'
import { eachStagedSets } from './staged-sets.ts'

const ids = fc.array(fc.nat({ max: 99 }), { maxLength: 9 })
const sets = fc.array(fc.record({ references: ids, groups: ids }), { maxLength: 30 })

describe('staged sets', () => {
  it('come with all that they name, however many are taken at once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ratebook-staged-'))
    try {
      fc.assert(
        fc.property(sets, fc.integer({ min: 1, max: 40 }), (staged, atOnce) => {
          writeFileSync(join(folder, 'header.json'), JSON.stringify({ rows: { sets: staged.length } }))
          const ends = { references: 0, groups: 0 }
          for (const side of ['references', 'groups'] as const) {
            const flat = Uint32Array.from(staged.flatMap((set) => set[side]))
            const end = BigInt64Array.from(staged, (set) => BigInt((ends[side] += set[side].length)))
            writeFileSync(join(folder, `sets.${side}.u32`), flat)
            writeFileSync(join(folder, `sets.${side}_end.i64`), end)
          }
          const stage = new Stage(folder)
          const referencesEnd = stage.i64('sets', 'references_end')
          const groupsEnd = stage.i64('sets', 'groups_end')
          const met: { references: number[]; groups: number[] }[] = []
          const take: Parameters<typeof eachStagedSets>[3] = (named) => {
            for (let set = named.from; set < named.to; set++) {
              const part = (values: Uint32Array, end: Float64Array, before: number) => [
                ...values.subarray((end[set - 1] ?? 0) - before, end[set]! - before),
              ]
              met.push({
                references: part(named.references, referencesEnd, named.referencesBefore),
                groups: part(named.groups, groupsEnd, named.groupsBefore),
              })
            }
          }
          eachStagedSets(stage, referencesEnd, groupsEnd, take, atOnce)
          expect(met).toEqual(staged)
        }),
        { numRuns: 60 },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
