/** What a price is for, besides its code and its providers. Part of an entry's identity. */
export interface Term {
  readonly negotiatedType: string
  /** `professional`, `institutional` or `both`; empty where the file gives none. */
  readonly billingClass: string
  /** `inpatient`, `outpatient` or `both`; empty in files before version 2. */
  readonly setting: string
  /** Ascending. Empty means none named. */
  readonly serviceCodes: readonly string[]
  readonly modifiers: readonly string[]
}

/** A billing code as an entry has it. */
export interface Code {
  readonly type: string
  readonly code: string
  /** Severity of illness, where given. */
  readonly severity: string
}

/** Terms, each once. */
export class TermTable {
  readonly terms: Term[] = []
  private readonly ids = new Map<string, number>()

  id(term: Term): number {
    const key = JSON.stringify([
      term.negotiatedType,
      term.billingClass,
      term.setting,
      term.serviceCodes,
      term.modifiers,
    ])
    let id = this.ids.get(key)
    if (id === undefined) {
      id = this.terms.push(term) - 1
      this.ids.set(key, id)
    }
    return id
  }
}

export const codeKey = ({ type, code, severity }: Code) => `${type}\u0000${code}\u0000${severity}`

/** Codes stand in this order in a build: by type, code, severity. */
export const byCode = (a: Code, b: Code) =>
  order(a.type, b.type) || order(a.code, b.code) || order(a.severity, b.severity)

/** Order by code units: the same on every machine and in every language. */
export const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** How published words become ours. Each is asked once per distinct value; what is left out stays as staged. */
export interface Normalisers {
  readonly code?: (code: Code) => Code | undefined
  readonly serviceCodes?: (codes: readonly string[]) => readonly string[]
  readonly modifiers?: (modifiers: readonly string[]) => readonly string[]
}
