import { lazy, Suspense } from 'react'
import { countText, moneyText, percentText } from '../parts/format.ts'
import { Busy, Notice } from '../parts/notice.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { BasisLine } from './basis-line.tsx'
import { computing, LeftOutLine, Looked } from './look.tsx'
import { SampleForm } from './tab-sample.tsx'
import { NoTins } from './no-tins.tsx'
import type { TabProps } from './tabs.ts'
import { useViewParams } from './view-params.ts'

const GroupChart = lazy(() => import('./group-chart.tsx').then((part) => ({ default: part.GroupChart })))

/** Made-up claims drawn from the mixes, priced under each contract. */
export function ClaimsTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const claims = Math.min(100_000, Math.max(1, Math.trunc(Number(view.text('claims', '1000'))) || 1_000))
  const seed = view.text('seed')
  return (
    <>
      <SampleForm
        key={`${claims} ${seed}`}
        size={claims}
        seed={seed}
        set={view.set}
        what="Claims"
        name="claims"
      />
      <Looked
        name="reportDummyClaims"
        report={report}
        request={{ id: report.id, config: computing(edited.config), claims, ...(seed && { seed }) }}
      >
        {(answer) => {
          if (answer.claims === 0)
            return (
              <Notice title="No claim can be drawn">
                No payer and code has a rate of yours. Name your TINs under “Your side of the table”.
              </Notice>
            )
          type Priced = (typeof answer.columns)[number]
          type Claim = (typeof answer.rows)[number]
          const labels = new Map(answer.columns.map(({ id, label }) => [id, label]))
          return (
            <>
              <NoTins config={edited.config} />
              <BasisLine basis={answer.basis} />
              {answer.spread && (
                <p>
                  Over the {countText(answer.spread.claims)} claims that every column can price,{' '}
                  <strong>{labels.get(answer.spread.highest.id)}</strong> pays{' '}
                  <strong>{moneyText(answer.spread.difference)}</strong> more than{' '}
                  {labels.get(answer.spread.lowest.id)}.
                </p>
              )}
              <DataTable<Priced>
                caption="Claims under each contract"
                rows={answer.columns}
                rowKey={({ id }) => id}
                columns={[
                  { key: 'label', title: 'Contract', cell: ({ label }) => label, sort: ({ label }) => label },
                  count('claimsPriced', 'Claims priced'),
                  dollars('total', 'Total'),
                  dollars('yoursOnSame', 'Same at your rates'),
                  dollars('difference', 'Difference'),
                  {
                    key: 'differencePercent',
                    title: 'Percent',
                    number: true,
                    cell: ({ differencePercent }) =>
                      differencePercent === null ? '–' : percentText(differencePercent),
                    sort: ({ differencePercent }) => differencePercent,
                  },
                ]}
              />
              <section className="card" aria-label="Price of a claim">
                <h2>The price of a claim</h2>
                <Suspense fallback={<Busy>Drawing…</Busy>}>
                  <GroupChart
                    measure="negotiated_rate"
                    unit={['claim', 'claims']}
                    groups={answer.columns
                      .filter(({ claimsPriced }) => claimsPriced > 0)
                      .map(({ label, claimsPriced, perClaim }) => ({
                        value: label,
                        entries: claimsPriced,
                        p10: perClaim.p10!,
                        p25: perClaim.p25!,
                        p50: perClaim.p50!,
                        p75: perClaim.p75!,
                        p90: perClaim.p90!,
                        marks: [],
                      }))}
                  />
                </Suspense>
              </section>
              <p className="soft small">
                The first {countText(answer.rows.length)} of {countText(answer.claims)} claims, drawn with the
                seed <code className="wrap">{answer.seed}</code>
              </p>
              <DataTable<Claim>
                caption="Claims drawn"
                rows={answer.rows}
                rowKey={({ number }) => String(number)}
                columns={[
                  {
                    key: 'number',
                    title: 'Claim',
                    cell: ({ number }) => number,
                    sort: ({ number }) => number,
                  },
                  { key: 'payer', title: 'Payer', cell: ({ payer }) => payer, sort: ({ payer }) => payer },
                  {
                    key: 'code',
                    title: 'Code',
                    cell: (claim) => `${claim.billing_code} ${claim.billing_code_type}`,
                    sort: (claim) => claim.billing_code,
                  },
                  ...answer.columns.map(({ id, label }) => ({
                    key: id,
                    title: label,
                    number: true,
                    cell: ({ prices }: Claim) => {
                      const price = prices[id]
                      return price == null ? <span className="soft">–</span> : moneyText(price)
                    },
                    sort: ({ prices }: Claim) => prices[id] ?? null,
                  })),
                ]}
              />
              <LeftOutLine leftOut={answer.leftOut} />
            </>
          )
        }}
      </Looked>
    </>
  )
}

interface Sums {
  readonly claimsPriced: number
  readonly total: number
  readonly yoursOnSame: number
  readonly difference: number
}

const dollars = <Row extends Sums>(
  key: 'total' | 'yoursOnSame' | 'difference',
  title: string,
): Column<Row> => ({
  key,
  title,
  number: true,
  cell: (row) => (
    <span title={String(row[key])}>
      {key === 'difference' && row[key] > 0 ? '+' : ''}
      {moneyText(row[key])}
    </span>
  ),
  sort: (row) => row[key],
})

const count = <Row extends Sums>(key: 'claimsPriced', title: string): Column<Row> => ({
  key,
  title,
  number: true,
  cell: (row) => countText(row[key]),
  sort: (row) => row[key],
})
