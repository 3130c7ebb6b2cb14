import type { MedicareStore, MedicareTables } from './store.ts'

/** The group and subgroup a billing code belongs to. */
export interface CodeGroup {
  readonly group: string
  readonly subgroup: string
}

/** Finds groups of codes: RBCS for CPT and HCPCS, MDC and type for MS-DRG, the series for revenue codes. */
export interface CodeGroups {
  readonly build: string
  /** Undefined where the code has no group. */
  of(type: string, code: string): CodeGroup | undefined
}

/** Reads the groups once per build. */
export function openCodeGroups(store: MedicareStore): () => Promise<CodeGroups> {
  let kept: { build: string; groups: Promise<CodeGroups> } | undefined
  return async () => {
    const tables = await store.tables()
    if (kept?.build !== tables.build) kept = { build: tables.build, groups: readCodeGroups(tables) }
    return await kept.groups
  }
}

/** Reads all groups; a few thousand short texts. */
export async function readCodeGroups(tables: MedicareTables): Promise<CodeGroups> {
  const services = await tables.rows<{ code: string; category: string; subcategory: string }>(
    'select code, category, subcategory from code_groups',
  )
  const drgs = await tables.rows<{ code: string; mdc: string | null; type: string | null }>(
    'select code, arg_max(mdc, fiscal_year) as mdc, arg_max(type, fiscal_year) as type from ms_drg_weights group by code',
  )
  const byService = new Map(
    services.map((row) => [row.code, { group: row.category, subgroup: row.subcategory }]),
  )
  const byDrg = new Map(
    drgs
      .filter(({ mdc, type }) => mdc !== null || type !== null)
      .map((row) => [row.code, { group: `MDC ${mdcText(row.mdc)}`, subgroup: row.type ?? 'none' }]),
  )
  return {
    build: tables.build,
    of(type, code) {
      if (type === 'CPT' || type === 'HCPCS') return byService.get(code)
      if (type === 'MS-DRG') return byDrg.get(code)
      return type === 'RC' ? revenueSeries(code) : undefined
    },
  }
}

// Table 5 prints PRE for the groups that come before all categories; older extracts number them 98.
const mdcText = (mdc: string | null) => (mdc === null ? 'none' : mdc === '98' ? 'PRE' : mdc)

/** A revenue code's series is its first three digits: 0450 to 0459 are 045X. */
function revenueSeries(code: string): CodeGroup | undefined {
  return /^\d{4}$/.test(code) ? { group: `${code.slice(0, 3)}X`, subgroup: code } : undefined
}
