import type { Providers } from '../providers/open.ts'
import type { ProviderNames } from '../reports/row-file.ts'
import type { ReportCall } from '../reports/report-call.ts'
import type { Reports } from '../reports/reports.ts'
import type { Answers, CallContext } from './answers.ts'

/** Hands each question about reports to its room. */
export function reportAnswers(reports: Reports, pageSizeMax: number): Answers {
  const of = ({ caller, signal, sent }: CallContext): ReportCall => ({
    caller,
    signal,
    pageSizeMost: caller.pageSizeMax ?? pageSizeMax,
    idempotencyKey: sent('idempotency-key'),
    ifMatch: sent('if-match'),
  })
  const tagged = async <Record>(
    { header }: CallContext,
    found: Promise<{ report: Record; etag: string }>,
  ) => {
    const { report, etag } = await found
    header('ETag', etag)
    return report
  }
  return {
    createReport: (request, context) => reports.create(request, { ...of(context), onRepeat: context.free }),
    estimateReport: (request, context) => reports.estimate(request, of(context)),
    listReports: (request, context) => reports.list(request, of(context)),
    readReport: ({ id }, context) => tagged(context, reports.read(id, of(context))),
    renameReport: (request, context) => tagged(context, reports.rename(request, of(context))),
    actOnReport: (request, context) => tagged(context, reports.act(request, of(context))),
    refreshReport: ({ id }, context) => reports.refresh(id, of(context)),
    reportRows: (request, context) => reports.rows(request, of(context)),
    reportInteractiveChart: (request, context) => reports.chart(request, of(context)),
    reportSummaryPivot: (request, context) => reports.pivot(request, of(context)),
    reportPercentile: (request, context) => reports.percentiles(request, of(context)),
    reportSample: (request, context) => reports.sample(request, of(context)),
    reportRateChange: (request, context) => reports.rateChange(request, of(context)),
    reportWeightedContract: (request, context) => reports.weightedContract(request, of(context)),
    reportDummyClaims: (request, context) => reports.dummyClaims(request, of(context)),
    reportModelContract: (request, context) => reports.modelContract(request, of(context)),
    exportReport: (request, context) => reports.export(request, of(context)),
  }
}

/** Names out of the directory; none where it is not loaded. */
export function directoryNames(providers: Providers): ProviderNames {
  return {
    async npis(npis) {
      const found = await providers.npis({ npis: [...npis], includeFields: ['npi', 'name'] }).catch(ifLoaded)
      return new Map((found ?? []).flatMap(({ npi, name }) => (npi && name ? [[npi, name] as const] : [])))
    },
    async tins(tins) {
      const found = await providers.tins({ tins: [...tins], includeFields: ['tinName'] }).catch(ifLoaded)
      return new Map(
        (found?.tins ?? []).flatMap(({ tin, tinName }) => (tin && tinName ? [[tin, tinName] as const] : [])),
      )
    },
  }
}

function ifLoaded(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'not_loaded') throw error
  return undefined
}
