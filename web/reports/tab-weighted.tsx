import { lazy, Suspense } from 'react'
import { countText, moneyText, percentText } from '../parts/format.ts'
import { Busy, Notice } from '../parts/notice.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { computing, LeftOutLine, Looked } from './look.tsx'
import { BasisLine } from './basis-line.tsx'
import { NoTins } from './no-tins.tsx'
import type { TabProps } from './tabs.ts'

const DifferenceBars = lazy(() =>
  import('./difference-bars.tsx').then((part) => ({ default: part.DifferenceBars })),
)

interface Line {
  readonly percentOfBusiness: number
  readonly revenue: number
  readonly atBaseline: number
  readonly difference: number
  readonly index: number | null
}

/** Dollars a year, whole: cents are noise in a year. */
const yearText = (value: number) => moneyText(Math.round(value)).replace(/\.00$/, '')
const signedText = (value: number) => `${value > 0 ? '+' : ''}${yearText(value)}`

/** Your rates against the baseline per payer and code, weighted by both mixes. */
export function WeightedTab({ report, edited }: TabProps) {
  return (
    <Looked
      name="reportWeightedContract"
      report={report}
      request={{ id: report.id, config: computing(edited.config) }}
    >
      {({ basis, rows, byPayer, byCode, total, leftOut }) => {
        type Row = (typeof rows)[number]
        if (total.coveredPercent === 0)
          return (
            <>
              <Notice title="No rate of yours to weigh">
                None of your TINs has a rate for these payers and codes.
              </Notice>
              <LeftOutLine leftOut={leftOut} />
            </>
          )
        return (
          <>
            <NoTins config={edited.config} />
            <BasisLine basis={basis} />
            <dl className="figures headline">
              <Figure name={`Index against the ${basis.baselineLabel.toLowerCase()}`}>
                {total.index === null ? '–' : (Math.round(total.index * 10) / 10).toLocaleString('en-US')}
              </Figure>
              <Figure name="A year at your rates">{yearText(total.revenue)}</Figure>
              <Figure name="A year at the baseline">{yearText(total.atBaseline)}</Figure>
              <Figure name="The baseline is worth">{signedText(total.difference)}</Figure>
            </dl>
            {total.coveredPercent < 99.95 && (
              <p className="soft small">
                The totals stand for {percentText(total.coveredPercent)} of your business; the rest lacks your
                rate or the baseline’s.
              </p>
            )}
            <section className="card" aria-label="Worth by payer">
              <Suspense fallback={<Busy>Drawing…</Busy>}>
                <DifferenceBars rows={byPayer} />
              </Suspense>
            </section>
            <h2>By payer</h2>
            <DataTable
              caption="By payer"
              rows={byPayer}
              rowKey={({ key }) => key}
              columns={[
                { key: 'key', title: 'Payer', cell: ({ key }) => key, sort: ({ key }) => key },
                ...lineColumns(),
              ]}
            />
            <h2>By code</h2>
            <DataTable
              caption="By code"
              rows={byCode}
              rowKey={({ key }) => key}
              columns={[
                { key: 'key', title: 'Code', cell: ({ key }) => key, sort: ({ key }) => key },
                ...lineColumns(),
              ]}
            />
            <h2>By payer and code</h2>
            <DataTable<Row>
              caption="By payer and code"
              rows={rows}
              rowKey={(row) => `${row.payer} ${row.billing_code_type} ${row.billing_code}`}
              columns={[
                { key: 'payer', title: 'Payer', cell: ({ payer }) => payer, sort: ({ payer }) => payer },
                {
                  key: 'code',
                  title: 'Code',
                  cell: (row) => `${row.billing_code} ${row.billing_code_type}`,
                  sort: (row) => row.billing_code,
                },
                rate('yourRate', 'Your rate'),
                rate('baselineRate', basis.baselineLabel),
                {
                  key: 'entries',
                  title: 'Yours, market',
                  number: true,
                  cell: (row) => `${countText(row.yourEntries)}, ${countText(row.marketEntries)}`,
                },
                ...lineColumns<Row>((row) => row.isCovered),
              ]}
            />
            <LeftOutLine leftOut={leftOut} />
          </>
        )
      }}
    </Looked>
  )
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div className="figure card">
      <dt className="soft small">{name}</dt>
      <dd>
        <strong>{children}</strong>
      </dd>
    </div>
  )
}

function rate<Row extends { yourRate: number | null; baselineRate: number | null }>(
  key: 'yourRate' | 'baselineRate',
  title: string,
): Column<Row> {
  return {
    key,
    title,
    number: true,
    cell: (row) =>
      row[key] === null ? (
        <span className="soft">–</span>
      ) : (
        <span title={String(row[key])}>{moneyText(row[key])}</span>
      ),
    sort: (row) => row[key],
  }
}

function lineColumns<Row extends Line>(isCovered: (row: Row) => boolean = () => true): Column<Row>[] {
  const dash = <span className="soft">–</span>
  const year = (key: 'revenue' | 'atBaseline', title: string): Column<Row> => ({
    key,
    title,
    number: true,
    cell: (row) => (isCovered(row) ? <span title={String(row[key])}>{yearText(row[key])}</span> : dash),
    sort: (row) => (isCovered(row) ? row[key] : null),
  })
  return [
    {
      key: 'percentOfBusiness',
      title: 'Share',
      number: true,
      cell: (row) => percentText(row.percentOfBusiness),
      sort: (row) => row.percentOfBusiness,
    },
    year('revenue', 'At your rates'),
    year('atBaseline', 'At the baseline'),
    {
      key: 'difference',
      title: 'Worth',
      number: true,
      cell: (row) =>
        isCovered(row) ? <strong title={String(row.difference)}>{signedText(row.difference)}</strong> : dash,
      sort: (row) => (isCovered(row) ? row.difference : null),
    },
    {
      key: 'index',
      title: 'Index',
      number: true,
      cell: (row) =>
        row.index === null ? dash : <span title={String(row.index)}>{row.index.toFixed(1)}</span>,
      sort: (row) => row.index,
    },
  ]
}
