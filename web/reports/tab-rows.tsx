import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { askReport } from '../api.ts'
import { Asking } from '../parts/asking.tsx'
import { MultiSelect } from '../parts/choices.tsx'
import { SelectField } from '../parts/form.tsx'
import { countText } from '../parts/format.ts'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { dimensionOptions } from './columns.ts'
import { computing, LeftOutLine, NoRows } from './look.tsx'
import { columnOptions, columnsAtFirst, type DataRow, tableColumns } from './row-columns.tsx'
import type { TabProps } from './tabs.ts'
import { useViewParams } from './view-params.ts'

const pageSize = 500
const rateAggregations = [
  { value: 'none', label: 'Keep every rate' },
  { value: 'median', label: 'Median' },
  { value: 'avg', label: 'Mean' },
  { value: 'max', label: 'Highest' },
  { value: 'min', label: 'Lowest' },
  { value: 'modal', label: 'Most frequent' },
]

/** Every row: columns chosen, rows collapsed, sorted on the server, in pages. */
export function RowsTab({ report, edited }: TabProps) {
  const queries = useQueryClient()
  const view = useViewParams()
  const columns = view.list('show', columnsAtFirst)
  const collapsed = view.list('collapse', [])
  const rateAggregation = view.text('rates', 'none')
  const { sorts = [] } = edited.config
  const request = {
    id: report.id,
    // The table's own filters narrow its rows, and nothing that is computed.
    config: {
      ...computing(edited.config),
      ...(edited.config.tableFilters && { tableFilters: edited.config.tableFilters }),
    },
    columns: (columns.length > 0 ? columns : columnsAtFirst) as ['payer'],
    ...(collapsed.length > 0 && { aggregatedColumns: collapsed as ['payer'] }),
    rateAggregation: rateAggregation as 'none',
    ...(sorts.length > 0 && { sorts: sorts as { id: 'payer'; desc: boolean }[] }),
  }
  const queryKey = ['look', report.id, report.builtAt, 'reportRows', request]
  const rows = useInfiniteQuery({
    queryKey,
    staleTime: Infinity,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }) =>
      (
        await askReport(
          'reportRows',
          { ...request, pagination: { pageSize, ...(pageParam !== '' && { cursor: pageParam }) } },
          { signal },
        )
      ).value,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const first = rows.data?.pages[0]
  const data = rows.data?.pages.flatMap((page) => page.data) ?? []
  const [sort] = sorts
  return (
    <>
      <div className="inline-fields">
        <MultiSelect
          label="Columns"
          all={columnOptions}
          chosen={columns}
          onChange={(show) => view.set({ show })}
        />
        <MultiSelect
          label="Collapse into lists"
          all={dimensionOptions}
          chosen={collapsed}
          onChange={(collapse) => view.set({ collapse })}
        />
        <SelectField
          label="Rates of a collapsed row"
          value={rateAggregation}
          onChange={(rates) => view.set({ rates })}
          options={rateAggregations}
        />
      </div>
      {rows.isFetching && (
        <Asking what="Reading rows…" cancel={() => void queries.cancelQueries({ queryKey })} />
      )}
      {rows.isError && <FailureNotice failure={rows.error} retry={() => void rows.refetch()} />}
      {rows.isPending && rows.fetchStatus === 'idle' && (
        <Notice title="Cancelled">
          <button type="button" className="button" onClick={() => void rows.refetch()}>
            Read them
          </button>
        </Notice>
      )}
      {first &&
        (data.length === 0 ? (
          <NoRows />
        ) : (
          <>
            <p className="soft small">
              {countText(data.length)} of {countText(first.totalRows)} rows
            </p>
            <DataTable<DataRow>
              caption="Rows of the report"
              rows={data}
              rowKey={(_, at) => String(at)}
              columns={tableColumns(first.columns)}
              order={sort ? `${sort.desc ? '-' : ''}${sort.id}` : ''}
              onOrder={(order) =>
                edited.change({ sorts: [{ id: order.replace(/^-/, ''), desc: order.startsWith('-') }] })
              }
              isSortedElsewhere
            />
            {rows.hasNextPage && (
              <div className="row">
                <button
                  type="button"
                  className="button"
                  disabled={rows.isFetching}
                  onClick={() => void rows.fetchNextPage()}
                >
                  Get the next {countText(pageSize)} rows
                </button>
              </div>
            )}
            <LeftOutLine leftOut={first.leftOut} />
          </>
        ))}
    </>
  )
}
