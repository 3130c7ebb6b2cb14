import { MultiSelect } from '../parts/choices.tsx'
import { csvOf, DownloadButton } from '../parts/download.tsx'
import { countText } from '../parts/format.ts'
import { type Column, DataTable } from '../parts/table.tsx'
import { dimensionOptions, keyColumns, measureText } from './columns.ts'
import { computing, LeftOutLine, Looked, NoRows } from './look.tsx'
import { rankText } from './marks.ts'
import type { TabProps } from './tabs.ts'
import { MeasureField } from './measure-field.tsx'
import { useViewParams } from './view-params.ts'

const offered = [5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95].map((value) => ({
  value: String(value),
  label: `p${value}`,
}))

/** Percentiles per group, and where your rate and competitors’ stand in them. */
export function PercentileTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const groupBy = view.list('by', ['payer', 'billing_code_type', 'billing_code'])
  const percentiles = view.list('p', ['10', '25', '50', '75', '90'])
  const measure = view.text('measure', 'negotiated_rate')
  const text = measureText(measure)
  return (
    <>
      <div className="inline-fields">
        <MultiSelect
          label="Group by"
          all={dimensionOptions}
          chosen={groupBy}
          onChange={(by) => view.set({ by: by.slice(0, 8) })}
        />
        <MultiSelect
          label="Percentiles"
          all={offered}
          chosen={percentiles}
          onChange={(p) => view.set({ p })}
        />
        <MeasureField view={view} measure={measure} />
      </div>
      <Looked
        name="reportPercentile"
        report={report}
        request={{
          id: report.id,
          config: computing(edited.config),
          groupBy: groupBy as ['payer'],
          percentiles: percentiles.map(Number).sort((a, b) => a - b),
          measure: measure as 'negotiated_rate',
        }}
      >
        {(answer) => {
          if (answer.rows.length === 0) return <NoRows />
          type Row = (typeof answer.rows)[number]
          const names = Object.keys(answer.rows[0]!.percentiles)
          const marks = answer.rows[0]!.marks
          const colour = edited.config.compareColorsEnabled
          const columns: Column<Row>[] = [
            ...keyColumns<Row>(answer.groupBy),
            ...names.map((name) => ({
              key: name,
              title: name === 'p50' ? 'Median' : name,
              number: true,
              cell: (row: Row) => {
                const value = row.percentiles[name]!
                const yours = row.marks.find(({ id }) => id === 'yours')?.rate
                const sign =
                  colour && yours != null ? (value > yours ? 'above' : value < yours ? 'below' : '') : ''
                return (
                  <span className={sign} title={String(value)}>
                    {text(value)}
                  </span>
                )
              },
              sort: (row: Row) => row.percentiles[name] ?? null,
            })),
            ...marks.map(({ id, label }, at) => ({
              key: id,
              title: label,
              number: true,
              cell: (row: Row) => <strong>{rankText(row.marks[at], text)}</strong>,
              sort: (row: Row) => row.marks[at]?.percentileRank ?? null,
            })),
            {
              key: 'entries',
              title: 'Entries',
              number: true,
              cell: ({ entries }: Row) => countText(entries),
              sort: ({ entries }: Row) => entries,
            },
          ]
          const lines = [
            [
              ...answer.groupBy,
              ...names,
              ...marks.flatMap(({ label }) => [label, `${label} rank`]),
              'entries',
            ],
            ...answer.rows.map((row) => [
              ...row.key.map((value) => String(value ?? '')),
              ...names.map((name) => String(row.percentiles[name] ?? '')),
              ...row.marks.flatMap((mark) => [String(mark.rate ?? ''), String(mark.percentileRank ?? '')]),
              String(row.entries),
            ]),
          ]
          return (
            <>
              {marks.length === 0 && (
                <p className="soft small">Name your TINs below to see where your rates stand.</p>
              )}
              <DataTable
                caption="Percentiles by group"
                rows={answer.rows}
                rowKey={({ key }) => JSON.stringify(key)}
                columns={columns}
              />
              {colour && (
                <p className="soft small">
                  <span className="above">above</span> and <span className="below">below</span> your rate
                </p>
              )}
              <div className="row">
                <DownloadButton name="percentiles.csv" text={csvOf(lines)} />
              </div>
              <LeftOutLine leftOut={answer.leftOut} />
            </>
          )
        }}
      </Looked>
    </>
  )
}
