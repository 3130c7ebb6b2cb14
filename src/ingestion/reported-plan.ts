/** A plan as an index or an in-network file names it. */
export interface ReportedPlan {
  readonly name: string
  readonly idType: string
  readonly id: string
  readonly market: string
  readonly issuer: string
  readonly sponsor: string
}

/** The plan in the root of an in-network file, or in an index. */
export const planOf = (fields: Readonly<Record<string, unknown>>): ReportedPlan => ({
  name: textOf(fields.plan_name),
  idType: textOf(fields.plan_id_type).toLowerCase(),
  id: textOf(fields.plan_id),
  market: textOf(fields.plan_market_type).toLowerCase(),
  issuer: textOf(fields.issuer_name),
  sponsor: textOf(fields.plan_sponsor_name),
})

/** A field as text, as publishers write it. */
export const textOf = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
