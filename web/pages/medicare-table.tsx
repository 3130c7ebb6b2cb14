import { useState } from 'react'
import { moneyText } from '../parts/format.ts'
import { DataTable } from '../parts/table.tsx'
import { isComputable, MedicareComputation, type MedicareRow } from './medicare-computation.tsx'

export const datasets = ['Physician FFS', 'Drug ASP', 'MS-DRG weight', 'Anesthesia'] as const
export type Dataset = (typeof datasets)[number]

const money = (value: unknown) => (typeof value === 'number' ? moneyText(value) : '–')
const plain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '–'
// Drug limits are published to a tenth of a cent.
const limit = (value: unknown) => (typeof value === 'number' ? `$${value.toFixed(3)}` : '–')

type Shown = readonly [key: string, title: string, text: (value: unknown) => string]

const source: Shown = ['sourceFile', 'Source', plain]
const columns: Record<Dataset, readonly Shown[]> = {
  'Physician FFS': [
    ['code', 'Code', plain],
    ['modifier', 'Modifier', plain],
    ['year', 'Year', plain],
    ['state', 'State', plain],
    ['localityName', 'Locality', plain],
    ['nonFacilityAmount', 'Non-facility', money],
    ['facilityAmount', 'Facility', money],
    ['participant', 'Paid to', plain],
    source,
  ],
  'Drug ASP': [
    ['code', 'Code', plain],
    ['year', 'Year', plain],
    ['quarter', 'Quarter', plain],
    ['dosage', 'Dosage', plain],
    ['paymentLimit', 'Payment limit', limit],
    source,
  ],
  'MS-DRG weight': [
    ['code', 'MS-DRG', plain],
    ['fiscalYear', 'Fiscal year', plain],
    ['majorDiagnosticCategory', 'MDC', plain],
    ['drgType', 'Type', plain],
    ['weight', 'Weight', plain],
    ['geometricMeanLengthOfStay', 'Geometric mean stay, days', plain],
    ['arithmeticMeanLengthOfStay', 'Mean stay, days', plain],
    source,
  ],
  Anesthesia: [
    ['year', 'Year', plain],
    ['state', 'State', plain],
    ['localityName', 'Locality', plain],
    ['conversionFactor', 'Dollars a unit', money],
    source,
  ],
}

/** The rows found; one of the fee schedule's can be opened to see how it is computed. */
export function MedicareTable({ dataset, rows }: { dataset: Dataset; rows: readonly MedicareRow[] }) {
  const [opened, setOpened] = useState(0)
  const shown = columns[dataset].filter(([key]) =>
    rows.some((row) => row[key] !== undefined && row[key] !== null && row[key] !== 'all'),
  )
  const chosen = rows[opened] ?? rows[0]!
  return (
    <section className="stack" aria-label="Rows">
      <DataTable
        caption={`${dataset} rows`}
        rows={rows}
        rowKey={(_, at) => String(at)}
        columns={[
          ...shown.map(([key, title, text]) => ({
            key,
            title,
            number: rows.some((row) => typeof row[key] === 'number') && !/year/i.test(key),
            cell: (row: MedicareRow) => (
              <span title={typeof row[key] === 'number' ? String(row[key]) : undefined}>
                {text(row[key])}
              </span>
            ),
            sort: (row: MedicareRow) => (row[key] as string | number | null | undefined) ?? null,
          })),
          ...(dataset === 'Physician FFS' && rows.length > 1
            ? [
                {
                  key: 'open',
                  title: 'Computation',
                  cell: (row: MedicareRow) => (
                    <button
                      type="button"
                      className="link"
                      aria-pressed={row === chosen}
                      onClick={() => setOpened(rows.indexOf(row))}
                    >
                      {row === chosen ? 'shown below' : 'show'}
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {rows.length >= 100 && <p className="soft small">The first 100 rows. Name codes to see others.</p>}
      {isComputable(chosen) && <MedicareComputation row={chosen} />}
      {dataset === 'MS-DRG weight' && (
        <p className="soft small">
          A hospital is paid its own base rate times the weight; Medicare publishes no dollar amount for a
          DRG.
        </p>
      )}
      {dataset === 'Drug ASP' && (
        <p className="soft small">
          Payment limit for one billing unit: average sales price plus six percent, set every quarter.
        </p>
      )}
      {dataset === 'Anesthesia' && (
        <p className="soft small">
          Anesthesia is paid by base units and time units of 15 minutes, each times the factor of the
          locality.
        </p>
      )}
    </section>
  )
}
