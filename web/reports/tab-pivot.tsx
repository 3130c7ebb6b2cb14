import { aggregations } from '../../src/vocabulary/aggregations.ts'
import { MultiSelect } from '../parts/choices.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { csvOf, DownloadButton } from '../parts/download.tsx'
import { SelectField } from '../parts/form.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { dimensionOptions, keyColumns, keyText, labelOf, measureText } from './columns.ts'
import { computing, LeftOutLine, Looked, NoRows } from './look.tsx'
import type { TabProps } from './tabs.ts'
import { MeasureField } from './measure-field.tsx'
import { useViewParams } from './view-params.ts'

const names: Record<string, string> = {
  median_rate: 'Median',
  avg_rate: 'Mean',
  min_rate: 'Least',
  max_rate: 'Most',
  num_entries: 'Number of entries',
  num_distinct_rates: 'Number of different rates',
  num_distinct_npis: 'Number of NPIs',
  num_distinct_tins: 'Number of TINs',
}
const aggregationOptions = aggregations.map((value) => ({
  value,
  label: names[value] ?? value.replace('percentile_', 'Percentile '),
}))

/** Rows by columns by a measure, with totals. */
export function PivotTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const rows = view.list('rows', ['payer'])
  const columns = view.list('columns', ['billing_code'])
  const measure = view.text('measure', 'negotiated_rate')
  const aggregation = view.text('statistic', 'median_rate')
  const text = measureText(measure, aggregation)
  return (
    <>
      <div className="inline-fields">
        <MultiSelect
          label="Rows"
          all={dimensionOptions}
          chosen={rows}
          onChange={(next) => view.set({ rows: next.slice(0, 4) })}
        />
        <MultiSelect
          label="Columns"
          all={dimensionOptions}
          chosen={columns}
          onChange={(next) => view.set({ columns: next.slice(0, 2) })}
        />
        <SelectField
          label="Statistic"
          value={aggregation}
          onChange={(statistic) => view.set({ statistic })}
          options={aggregationOptions}
        />
        <MeasureField view={view} measure={measure} />
      </div>
      <Looked
        name="reportSummaryPivot"
        report={report}
        request={{
          id: report.id,
          config: computing(edited.config),
          rows: rows as ['payer'],
          columns: columns as ['payer'],
          aggregation: aggregation as 'median_rate',
          measure: measure as 'negotiated_rate',
        }}
      >
        {(answer) => {
          if (answer.rows.length === 0) return <NoRows />
          type Row = (typeof answer.rows)[number]
          const headings = answer.columnKeys.map((key) => key.map(keyText).join(' · '))
          const cell = (value: number | null | undefined) =>
            value === null || value === undefined ? (
              <span className="soft">–</span>
            ) : (
              <span title={String(value)}>{text(value)}</span>
            )
          const total: Row = {
            key: answer.rowColumns.map((_, at) => (at === 0 ? 'Total' : '')),
            ...answer.totals,
          }
          const shown: Column<Row>[] = [
            ...keyColumns<Row>(answer.rowColumns),
            ...headings.map((title, at) => ({
              key: `c${at}`,
              title,
              number: true,
              cell: ({ cells }: Row) => cell(cells[at]),
              sort: ({ cells }: Row) => cells[at] ?? null,
            })),
            {
              key: 'total',
              title: 'Total',
              number: true,
              cell: (row: Row) => <strong>{cell(row.total)}</strong>,
              sort: (row: Row) => row.total,
            },
          ]
          const lines = [
            [...answer.rowColumns.map(labelOf), ...headings, 'Total'],
            ...[...answer.rows, total].map(({ key, cells, total: sum }) => [
              ...key.map((value) => (value === null ? '' : String(value))),
              ...[...cells, sum].map((value) => String(value ?? '')),
            ]),
          ]
          return (
            <>
              <DataTable
                caption="Pivot"
                rows={answer.rows}
                rowKey={({ key }) => JSON.stringify(key)}
                columns={shown}
                foot={total}
              />
              <div className="row">
                <CopyButton label="Copy the table" text={lines.map((line) => line.join('\t')).join('\n')} />
                <DownloadButton name="pivot.csv" text={csvOf(lines)} />
              </div>
              <LeftOutLine leftOut={answer.leftOut} />
            </>
          )
        }}
      </Looked>
    </>
  )
}
