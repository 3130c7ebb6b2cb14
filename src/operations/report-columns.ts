import { z } from 'zod'

export type ColumnKind = 'text' | 'number' | 'dollars' | 'percent'

interface ColumnMeaning {
  readonly label: string
  readonly kind: ColumnKind
  readonly says: string
  /** What a row is about, by which rows can be grouped; the others are measures, or details of one published rate. */
  readonly role: 'dimension' | 'measure' | 'detail'
  /** Collapsed together with another column that it only describes. */
  readonly of?: string
}

/** Every column of a report's rows, in the order in which they are shown. */
export const reportColumns = {
  payer: { label: 'Payer', kind: 'text', role: 'dimension', says: 'Payer' },
  year_month: {
    label: 'Month',
    kind: 'text',
    role: 'dimension',
    says: 'Source month of the payer’s files, YYYY-MM',
  },
  billing_code_type: { label: 'Code type', kind: 'text', role: 'dimension', says: 'Code system' },
  billing_code: { label: 'Code', kind: 'text', role: 'dimension', says: 'Billing code' },
  severity: {
    label: 'Severity',
    kind: 'text',
    role: 'dimension',
    says: 'Severity of illness (APR-DRG), where given',
  },
  billing_code_group: {
    label: 'Code group',
    kind: 'text',
    role: 'dimension',
    of: 'billing_code',
    says: 'RBCS category, MDC, or revenue series',
  },
  billing_code_subgroup: {
    label: 'Code subgroup',
    kind: 'text',
    role: 'dimension',
    of: 'billing_code',
    says: 'RBCS subcategory, or type of MS-DRG',
  },
  billing_class: {
    label: 'Class',
    kind: 'text',
    role: 'dimension',
    says: 'professional, institutional or both',
  },
  setting: {
    label: 'Setting',
    kind: 'text',
    role: 'dimension',
    says: 'inpatient, outpatient or both, where the payer says so',
  },
  negotiated_type: {
    label: 'Rate type',
    kind: 'text',
    role: 'dimension',
    says: 'negotiated, derived, fee schedule, percentage or per diem',
  },
  service_codes: {
    label: 'Places of service',
    kind: 'text',
    role: 'dimension',
    says: 'Places of service, joined with "; "; none where none is named',
  },
  modifiers: {
    label: 'Modifiers',
    kind: 'text',
    role: 'dimension',
    says: 'Billing code modifiers, joined with "; "; none where none is named',
  },
  npi: {
    label: 'NPI',
    kind: 'number',
    role: 'dimension',
    says: 'Provider; null for a contract at TIN level',
  },
  npi_name: {
    label: 'Provider',
    kind: 'text',
    role: 'dimension',
    of: 'npi',
    says: 'Name in the provider directory',
  },
  tin: {
    label: 'TIN',
    kind: 'number',
    role: 'dimension',
    says: 'Taxpayer number; null where the payer reports no number',
  },
  tin_value: {
    label: 'TIN as reported',
    kind: 'text',
    role: 'dimension',
    of: 'tin',
    says: 'TIN as text, leading zeroes kept',
  },
  tin_name: {
    label: 'Taxpayer',
    kind: 'text',
    role: 'dimension',
    of: 'tin',
    says: 'Business name in the payer’s file, else in the directory',
  },
  state: {
    label: 'State',
    kind: 'text',
    role: 'dimension',
    says: 'State of the provider, from the directory',
  },
  zip: {
    label: 'ZIP',
    kind: 'text',
    role: 'dimension',
    says: 'Five-digit ZIP code of the provider, from the directory',
  },
  taxonomy_code: {
    label: 'Specialty',
    kind: 'text',
    role: 'dimension',
    says: 'Primary taxonomy code of the provider',
  },
  entity_type: { label: 'Entity', kind: 'text', role: 'dimension', says: 'individual or group' },
  networks: {
    label: 'Networks',
    kind: 'text',
    role: 'dimension',
    says: 'Network names that carry the rate, joined with "; "',
  },
  plan_names: {
    label: 'Plans',
    kind: 'text',
    role: 'dimension',
    says: 'Normalised plan names that carry the rate, joined with "; "; at most 30',
  },
  negotiated_rate: {
    label: 'Rate',
    kind: 'dollars',
    role: 'measure',
    says: 'Published rate: dollars; a percent for rate type percentage, dollars a day for per diem',
  },
  medicare_rate: {
    label: 'Medicare',
    kind: 'dollars',
    role: 'measure',
    says: 'What Medicare pays for the same code, modifier and place in the year of comparison, where it has an amount',
  },
  medicare_percent: {
    label: '% of Medicare',
    kind: 'percent',
    role: 'measure',
    says: 'The rate as a percent of the Medicare amount',
  },
  source_file: {
    label: 'Source file',
    kind: 'text',
    role: 'detail',
    says: 'Digest of the file in which the rate was first seen',
  },
  source_place: { label: 'Place in file', kind: 'text', role: 'detail', says: 'Where in that file' },
} as const satisfies Record<string, ColumnMeaning>

export type ReportColumnId = keyof typeof reportColumns
export const reportColumnIds = Object.keys(reportColumns) as [ReportColumnId, ...ReportColumnId[]]
export const columnOf = (id: ReportColumnId): ColumnMeaning => reportColumns[id]

export const dimensionIds = reportColumnIds.filter((id) => columnOf(id).role === 'dimension') as [
  ReportColumnId,
  ...ReportColumnId[],
]

/** A column as a report lists it. */
export const ReportColumn = z
  .object({
    id: z.string().describe('Name in rows, filters and sorts'),
    label: z.string().describe('Heading'),
    kind: z.enum(['text', 'number', 'dollars', 'percent']),
    role: z
      .enum(['dimension', 'measure', 'detail'])
      .describe('dimension: what a row is about; measure: what is counted; detail: where it was seen'),
    description: z.string(),
  })
  .describe('A column of a report')
  .meta({ id: 'ReportColumn' })
export type ReportColumn = z.infer<typeof ReportColumn>

export const describedColumn = (id: ReportColumnId): ReportColumn => {
  const { label, kind, role, says } = columnOf(id)
  return { id, label, kind, role, description: says }
}
