import { BillingCodeType } from '../vocabulary/enums.ts'
import type { Build } from '../warehouse/build.ts'

export interface CodeFilter {
  readonly type: string
  readonly code: string
}

const answered: ReadonlySet<string> = new Set(BillingCodeType.options)

/** The code rows of a build that a question is about, in code order; without codes, all of the answered types. */
export function chosenCodes(build: Build, codes: readonly CodeFilter[] | undefined): number[] {
  if (codes && codes.length > 0) {
    const rows = new Set(codes.flatMap(({ type, code }) => build.rowsOfCode(type, code)))
    return [...rows].sort((a, b) => a - b)
  }
  return build.codes.type.flatMap((type, row) => (answered.has(type) ? [row] : []))
}
