import { lazy, Suspense } from 'react'
import { SelectField } from '../parts/form.tsx'
import { countText } from '../parts/format.ts'
import { Busy } from '../parts/notice.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { dimensionOptions, keyText, labelOf, measureText } from './columns.ts'
import { computing, LeftOutLine, Looked, NoRows } from './look.tsx'
import { rankText } from './marks.ts'
import type { TabProps } from './tabs.ts'
import { MeasureField } from './measure-field.tsx'
import { useViewParams } from './view-params.ts'

const GroupChart = lazy(() => import('./group-chart.tsx').then((part) => ({ default: part.GroupChart })))
const Histogram = lazy(() => import('./histogram.tsx').then((part) => ({ default: part.Histogram })))

/** Distributions by a chosen dimension, with your TINs and competitors marked. */
export function ChartTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const dimension = view.text('by', 'payer')
  const measure = view.text('measure', 'negotiated_rate')
  const text = measureText(measure)
  return (
    <>
      <div className="inline-fields">
        <SelectField
          label="One line for each"
          value={dimension}
          onChange={(by) => view.set({ by, group: '' })}
          options={dimensionOptions}
        />
        <MeasureField view={view} measure={measure} />
      </div>
      <Looked
        name="reportInteractiveChart"
        report={report}
        request={{
          id: report.id,
          config: computing(edited.config),
          dimension: dimension as 'payer',
          measure: measure as 'negotiated_rate',
        }}
      >
        {(answer) => {
          if (answer.groups.length === 0) return <NoRows />
          type Group = (typeof answer.groups)[number]
          const chosen =
            answer.groups.find(({ value }) => keyText(value) === view.text('group')) ?? answer.groups[0]!
          const number = (
            key: 'min' | 'p10' | 'p25' | 'p50' | 'p75' | 'p90' | 'max' | 'avg',
            title: string,
          ): Column<Group> => ({
            key,
            title,
            number: true,
            cell: (group) => <span title={String(group[key])}>{text(group[key])}</span>,
            sort: (group) => group[key],
          })
          const marks = answer.groups[0]!.marks
          return (
            <>
              <section className="card" aria-label="Distributions">
                <Suspense fallback={<Busy>Drawing…</Busy>}>
                  <GroupChart groups={answer.groups} measure={measure} />
                </Suspense>
              </section>
              <section className="card" aria-label="Histogram">
                <SelectField
                  label={`Histogram of ${labelOf(dimension).toLowerCase()}`}
                  value={keyText(chosen.value)}
                  onChange={(group) => view.set({ group })}
                  options={answer.groups.map(({ value }) => ({
                    value: keyText(value),
                    label: keyText(value),
                  }))}
                />
                <Suspense fallback={<Busy>Drawing…</Busy>}>
                  <Histogram group={chosen} edges={answer.edges} measure={measure} />
                </Suspense>
              </section>
              <DataTable<Group>
                caption={`Distribution by ${labelOf(dimension).toLowerCase()}`}
                rows={answer.groups}
                rowKey={({ value }) => keyText(value)}
                columns={[
                  {
                    key: 'value',
                    title: labelOf(dimension),
                    cell: ({ value }) => keyText(value),
                    sort: ({ value }) => value,
                  },
                  number('p10', 'p10'),
                  number('p25', 'p25'),
                  number('p50', 'Median'),
                  number('p75', 'p75'),
                  number('p90', 'p90'),
                  number('avg', 'Mean'),
                  number('min', 'Least'),
                  number('max', 'Most'),
                  ...marks.map(({ id, label }, at) => ({
                    key: id,
                    title: label,
                    number: true,
                    cell: (group: Group) => rankText(group.marks[at], text),
                    sort: (group: Group) => group.marks[at]?.rate ?? null,
                  })),
                  {
                    key: 'entries',
                    title: 'Entries',
                    number: true,
                    cell: ({ entries }) => countText(entries),
                    sort: ({ entries }) => entries,
                  },
                ]}
              />
              {answer.groupsTotal > answer.groups.length && (
                <p className="soft small">
                  The {countText(answer.groups.length)} with most entries of {countText(answer.groupsTotal)}.
                </p>
              )}
              <LeftOutLine leftOut={answer.leftOut} />
            </>
          )
        }}
      </Looked>
    </>
  )
}
