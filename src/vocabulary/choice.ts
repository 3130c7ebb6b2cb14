import { z } from 'zod'
import { notAllowed } from './nearest.ts'

export { nearest, notAllowed } from './nearest.ts'

/** A closed list of words whose error names the nearest allowed ones instead of all of them. */
export function choice<const Values extends readonly [string, ...string[]]>(what: string, values: Values) {
  return z.enum(values, { error: (issue) => notAllowed(what, issue.input, values) })
}
