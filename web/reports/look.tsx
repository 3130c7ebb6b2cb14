import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { Report } from '../../src/operations/report-record.ts'
import type { LeftOut } from '../../src/operations/report-rows.ts'
import { askReport, type ReportAnswer, type ReportOperationName, type ReportSent } from '../api.ts'
import { Asking } from '../parts/asking.tsx'
import { countText, manyText, moneyText } from '../parts/format.ts'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import type { Config } from './saved-config.ts'

/** One way of looking at a report: asked again when the question, the configuration or the report's rows change. */
export function Looked<Name extends ReportOperationName>({
  name,
  report,
  request,
  children,
}: {
  name: Name
  report: Report
  request: ReportSent<Name>
  children: (answer: ReportAnswer<Name>) => ReactNode
}) {
  const queries = useQueryClient()
  const queryKey = ['look', report.id, report.builtAt, name, request]
  const look = useQuery({
    queryKey,
    staleTime: Infinity,
    gcTime: 10 * 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await askReport(name, request, { signal })).value,
  })
  const cancel = () => void queries.cancelQueries({ queryKey })
  if (look.isPending)
    return look.fetchStatus === 'idle' ? (
      <Notice title="Cancelled">
        <button type="button" className="button" onClick={() => void look.refetch()}>
          Compute it
        </button>
      </Notice>
    ) : (
      <Asking what="Computing…" cancel={cancel} />
    )
  if (look.isError) return <FailureNotice failure={look.error} retry={() => void look.refetch()} />
  return (
    <div className="stack" aria-busy={look.isPlaceholderData}>
      {look.isPlaceholderData && <Asking what="Computing…" cancel={cancel} />}
      {children(look.data)}
    </div>
  )
}

/** The part of the configuration that changes an answer: what only arranges the screen asks nothing anew. */
export function computing({
  tabType: _,
  compareColorsEnabled: __,
  tableFilters: ___,
  sorts: ____,
  ...rest
}: Config) {
  return rest
}

/** What an answer is made from, and what was left out of it. */
export function LeftOutLine({ leftOut }: { leftOut: z.infer<typeof LeftOut> }) {
  const [open, setOpen] = useState(false)
  const { rowsMatched, rowsUsed, otherUnits, implausible, outliers, outlierPools, notBest } = leftOut
  const out = [
    otherUnits > 0 && `${countText(otherUnits)} of another unit`,
    implausible > 0 && `${countText(implausible)} implausible`,
    outliers > 0 && manyText(outliers, 'outlier'),
    notBest > 0 && `${countText(notBest)} lower than the best of their context`,
  ].filter((text) => text !== false)
  return (
    <div className="stack tight">
      <p className="soft small">
        Made from {countText(rowsUsed)} of {manyText(rowsMatched, 'row')}
        {out.length > 0 && `; left out: ${out.join(', ')}`}.{' '}
        {outlierPools.length > 0 && (
          <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide the outliers' : 'Which outliers?'}
          </button>
        )}
      </p>
      {open && (
        <ul className="small soft">
          {outlierPools.map((pool) => (
            <li key={JSON.stringify(pool)}>
              {pool.billing_code_type} {pool.billing_code}
              {pool.billing_class && `, ${pool.billing_class}`}
              {pool.modifiers && pool.modifiers !== 'none' && `, ${pool.modifiers}`}:{' '}
              {countText(pool.removed)} of {manyText(pool.rates, 'rate')}{' '}
              {pool.rule === 'log_iqr'
                ? `outside ${moneyText(pool.lower ?? 0)} to ${moneyText(pool.upper ?? 0)} (interquartile range of the logarithms)`
                : 'far from what Medicare pays'}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A tab with nothing in it. */
export function NoRows() {
  return (
    <Notice title="No rows match">
      The filters leave nothing, or every row is of another unit. Take a filter off.
    </Notice>
  )
}
