import { CheckList, MultiSelect } from '../parts/choices.tsx'
import { SelectField } from '../parts/form.tsx'
import { countText, moneyText, monthText, percentText } from '../parts/format.ts'
import { Notice } from '../parts/notice.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { yearMonthFrom } from '../question.ts'
import { dimensionOptions, keyColumns, summaryOptions } from './columns.ts'
import { computing, LeftOutLine, Looked, NoRows } from './look.tsx'
import type { TabProps } from './tabs.ts'
import { useViewParams } from './view-params.ts'

const statuses = ['increased', 'decreased', 'unchanged', 'new', 'gone'] as const
const signs = { increased: '▲ rose', decreased: '▼ fell', unchanged: '= same', new: '+ new', gone: '− gone' }
const badges = { increased: 'good', decreased: 'bad', unchanged: '', new: '', gone: 'warn' }
const rowsMost = 2_000

/** Two months beside each other: what rose, fell, came and went. */
export function ChangeTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const months = report.sourceMonths.map((month) => `${month.slice(0, 4)}-${month.slice(4)}`).sort()
  if (months.length < 2)
    return (
      <Notice title="One month only">
        This report holds {months.map((month) => monthText(yearMonthFrom(month))).join(', ') || 'no month'}.
        Make a report over two or more months to see what changed between them.
      </Notice>
    )
  const from = view.text('from', months[0])
  const to = view.text('to', months.at(-1))
  const groupBy = view.list('by', ['payer', 'billing_code_type', 'billing_code', 'tin'])
  const kept = view.list('kinds', [])
  const sort = view.text('sort', 'change')
  const monthOptions = months.map((value) => ({ value, label: monthText(yearMonthFrom(value)) }))
  return (
    <>
      <div className="inline-fields">
        <SelectField
          label="From"
          value={from}
          onChange={(next) => view.set({ from: next })}
          options={monthOptions}
        />
        <SelectField
          label="To"
          value={to}
          onChange={(next) => view.set({ to: next })}
          options={monthOptions}
        />
        <SelectField
          label="Several rates become"
          value={view.text('rates', 'median')}
          onChange={(rates) => view.set({ rates })}
          options={summaryOptions}
        />
        <SelectField
          label="Order"
          value={sort}
          onChange={(next) => view.set({ sort: next })}
          options={[
            { value: 'change', label: 'Largest rise in dollars' },
            { value: 'changePercent', label: 'Largest rise in percent' },
            { value: 'key', label: 'By name' },
          ]}
        />
        <MultiSelect
          label="Matched by"
          all={dimensionOptions.filter(({ value }) => value !== 'year_month')}
          chosen={groupBy}
          onChange={(by) => view.set({ by })}
        />
      </div>
      <CheckList
        label="Show only"
        all={statuses.map((value) => ({ value, label: signs[value] }))}
        chosen={kept}
        onChange={(kinds) => view.set({ kinds })}
      />
      <Looked
        name="reportRateChange"
        report={report}
        request={{
          id: report.id,
          config: computing(edited.config),
          from,
          to,
          groupBy: groupBy as ['payer'],
          aggregation: view.text('rates', 'median') as 'median',
          ...(kept.length > 0 && { statuses: kept as ['new'] }),
          sort: sort as 'change',
          pagination: { pageSize: rowsMost },
        }}
      >
        {(answer) => {
          type Row = (typeof answer.rows)[number]
          const money = (key: 'oldRate' | 'newRate' | 'change', title: string): Column<Row> => ({
            key,
            title,
            number: true,
            cell: (row) =>
              row[key] === null ? (
                <span className="soft">–</span>
              ) : (
                <span title={String(row[key])}>
                  {key === 'change' && row[key] > 0 ? '+' : ''}
                  {moneyText(row[key])}
                </span>
              ),
            sort: (row) => row[key],
          })
          return (
            <>
              <dl className="facts columns">
                {statuses.map((status) => (
                  <div key={status}>
                    <dt className="soft small">{signs[status]}</dt>
                    <dd>
                      <strong>{countText(answer.summary[status])}</strong>
                    </dd>
                  </div>
                ))}
              </dl>
              {answer.rows.length === 0 ? (
                <NoRows />
              ) : (
                <DataTable<Row>
                  caption={`Change from ${from} to ${to}`}
                  rows={answer.rows}
                  rowKey={({ key }) => JSON.stringify(key)}
                  columns={[
                    ...keyColumns<Row>(answer.groupBy),
                    {
                      key: 'status',
                      title: 'What happened',
                      cell: ({ status }) => (
                        <span className={`badge ${badges[status]}`}>{signs[status]}</span>
                      ),
                      sort: ({ status }) => status,
                    },
                    money('oldRate', from),
                    money('newRate', to),
                    money('change', 'Change'),
                    {
                      key: 'changePercent',
                      title: 'Percent',
                      number: true,
                      cell: ({ changePercent }) =>
                        changePercent === null ? (
                          <span className="soft">–</span>
                        ) : (
                          <span title={String(changePercent)}>
                            {changePercent > 0 ? '+' : ''}
                            {percentText(changePercent)}
                          </span>
                        ),
                      sort: ({ changePercent }) => changePercent,
                    },
                  ]}
                />
              )}
              {answer.totalRows > answer.rows.length && (
                <p className="soft small">
                  The first {countText(answer.rows.length)} of {countText(answer.totalRows)}. Narrow it with
                  filters, or take the rest through the API.
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
