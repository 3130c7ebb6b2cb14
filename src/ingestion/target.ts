import { createHash } from 'node:crypto'
import { normalCode } from './codes.ts'
import type { ReadFilter } from './reader/output.ts'

/** What a targeted ingest keeps; undefined lists ask for nothing. */
export interface Target {
  readonly codes?: readonly string[]
  readonly npis?: readonly number[]
  readonly tins?: readonly string[]
}

/** A target as the reader takes it; undefined where everything is wanted. */
export function targetFilter(target: Target): ReadFilter | undefined {
  const { codes, npis, tins } = target
  if (codes === undefined && npis === undefined && tins === undefined) return undefined
  return {
    ...(codes && { codes: new Set(codes.flatMap(spellings)) }),
    ...(npis && { npis: new Set(npis) }),
    ...(tins && { tins: new Set(tins.map((tin) => tin.replaceAll('-', ''))) }),
  }
}

// A DRG with its severity may be asked for as 139-2 and stand in the file as 1392 or as 139 with a severity beside it.
function spellings(code: string): string[] {
  const trimmed = code.trim().toUpperCase()
  const { code: drg, severity } = normalCode('APR-DRG', trimmed)
  return /^\d{3}[- ]\d$/.test(trimmed) ? [trimmed, drg, drg + severity] : [trimmed]
}

// Another number wherever a target comes to keep something else: what was read before is then read anew.
const meaning = 2

/** Names a target, so that what was read for one is not taken for another; empty for a whole ingest. */
export function targetKey(target: Target): string {
  const lists = [target.codes, target.npis, target.tins].map((list) =>
    list === undefined ? null : [...new Set(list.map(String))].sort(),
  )
  if (lists.every((list) => list === null)) return ''
  return createHash('sha256')
    .update(JSON.stringify([meaning, lists]))
    .digest('hex')
    .slice(0, 12)
}
