import type { ReportTab } from '../../src/operations/contract-model.ts'
import type { Report } from '../../src/operations/report-record.ts'
import type { EditedConfig } from './saved-config.ts'

/** What every tab is given. */
export interface TabProps {
  readonly report: Report
  readonly edited: EditedConfig
}

/** The nine sides of a report, in the order of the tabs. */
export const tabNames: Record<ReportTab, string> = {
  interactiveChart: 'Chart',
  summaryPivot: 'Pivot',
  percentile: 'Percentiles',
  sample: 'Sample',
  fullData: 'All rows',
  rateChange: 'Rate change',
  weightedContract: 'Weighted contract',
  dummyClaims: 'Sample claims',
  modelContract: 'Model contract',
}

/** Tabs that cannot say much before somebody names their own TINs. */
export const needsSetup: ReadonlySet<ReportTab> = new Set([
  'weightedContract',
  'dummyClaims',
  'modelContract',
])
