import { normalCode } from '../vocabulary/billing-code.ts'
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
    const rows = new Set(codes.flatMap((asked) => rowsOf(build, asked)))
    return [...rows].sort((a, b) => a - b)
  }
  return build.codes.type.flatMap((type, row) => (answered.has(type) ? [row] : []))
}

/** Asked for in the form that files are normalised to: 0470 is the MS-DRG 470, 0421 the APR-DRG 042 with severity 1. */
function rowsOf(build: Build, asked: CodeFilter): readonly number[] {
  const { type, code, severity } = normalCode(asked.type, asked.code)
  const rows = build.rowsOfCode(type, code)
  return severity === '' ? rows : rows.filter((row) => build.codes.severity[row] === severity)
}
