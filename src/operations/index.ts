import {
  contractDocument,
  contractEntities,
  contractRevision,
  contractRevisions,
  contractText,
  createContract,
  deleteContract,
  editContract,
  listContracts,
  quoteContract,
  readContract,
  revertContract,
} from './contracts.ts'
import { marketBenchmarks } from './market-benchmarks.ts'
import type { Operation } from './operation.ts'
import { payerPlans, payers } from './payers.ts'
import { providerRates } from './provider-rates.ts'
import { ccns, ccnSearch, npis, npiSearch, tins, tinSearch } from './providers.ts'
import { exportReport, reportRows } from './report-rows.ts'
import { reportDummyClaims, reportModelContract, reportWeightedContract } from './report-model-views.ts'
import {
  reportInteractiveChart,
  reportPercentile,
  reportRateChange,
  reportSample,
  reportSummaryPivot,
} from './report-views.ts'
import {
  actOnReport,
  createReport,
  estimateReport,
  listReports,
  readReport,
  refreshReport,
  renameReport,
} from './reports.ts'

/** Every operation, by name, in the order that the documentation prints. */
export const operations = {
  payers,
  payerPlans,
  npis,
  npiSearch,
  ccns,
  ccnSearch,
  tins,
  tinSearch,
  marketBenchmarks,
  providerRates,
  createReport,
  estimateReport,
  listReports,
  readReport,
  renameReport,
  actOnReport,
  refreshReport,
  reportRows,
  reportInteractiveChart,
  reportSummaryPivot,
  reportPercentile,
  reportSample,
  reportRateChange,
  reportWeightedContract,
  reportDummyClaims,
  reportModelContract,
  exportReport,
  createContract,
  listContracts,
  readContract,
  contractDocument,
  contractText,
  deleteContract,
  contractEntities,
  quoteContract,
  editContract,
  contractRevisions,
  contractRevision,
  revertContract,
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
export const operationList: readonly Operation[] = Object.values(operations)
