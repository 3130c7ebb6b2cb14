import type { ModelColumn } from '../../src/operations/report-model-views.ts'
import { moneyText, percentText } from '../parts/format.ts'
import { DataTable } from '../parts/table.tsx'

interface Total {
  readonly id: string
  readonly coveredPercent: number
  readonly revenue: number
  readonly atColumn: number
  readonly difference: number
  readonly index: number | null
}

const yearText = (value: number) => moneyText(Math.round(value)).replace(/\.00$/, '')

/** What a year brings under each column. */
export function ModelTotals({
  columns,
  totals,
}: {
  columns: readonly ModelColumn[]
  totals: readonly Total[]
}) {
  const labels = new Map(columns.map(({ id, label }) => [id, label]))
  return (
    <DataTable<Total>
      caption="A year under each column"
      // A column that prices nothing has no year.
      rows={totals.filter(({ coveredPercent }) => coveredPercent > 0)}
      empty="No column can price your business yet."
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'id',
          title: 'A year at',
          cell: ({ id }) => labels.get(id) ?? id,
          sort: ({ id }) => labels.get(id) ?? id,
        },
        {
          key: 'atColumn',
          title: 'Brings',
          number: true,
          cell: ({ atColumn }) => <span title={String(atColumn)}>{yearText(atColumn)}</span>,
          sort: ({ atColumn }) => atColumn,
        },
        {
          key: 'revenue',
          title: 'Same at your rates',
          number: true,
          cell: ({ revenue }) => <span title={String(revenue)}>{yearText(revenue)}</span>,
          sort: ({ revenue }) => revenue,
        },
        {
          key: 'difference',
          title: 'Difference',
          number: true,
          cell: ({ difference }) => (
            <strong title={String(difference)}>
              {difference > 0 ? '+' : ''}
              {yearText(difference)}
            </strong>
          ),
          sort: ({ difference }) => difference,
        },
        {
          key: 'index',
          title: 'Index',
          number: true,
          cell: ({ index }) => (index === null ? '–' : <span title={String(index)}>{index.toFixed(1)}</span>),
          sort: ({ index }) => index,
        },
        {
          key: 'covered',
          title: 'Of your business',
          number: true,
          cell: ({ coveredPercent }) => percentText(coveredPercent),
          sort: ({ coveredPercent }) => coveredPercent,
        },
      ]}
    />
  )
}
