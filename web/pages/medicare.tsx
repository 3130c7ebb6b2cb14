import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { states } from '../../src/vocabulary/enums.ts'
import { call } from '../api.ts'
import { Form, SelectField, TextField } from '../parts/form.tsx'
import { moneyText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { SignedIn } from '../session.tsx'

const datasets = ['Physician FFS', 'Drug ASP', 'MS-DRG weight', 'Anesthesia'] as const
type Dataset = (typeof datasets)[number]
type Row = Record<string, unknown>

/** What Medicare pays for a code, and how the amount comes about. */
export function Medicare() {
  return <SignedIn>{() => <Lookup />}</SignedIn>
}

function Lookup() {
  const [query, setQuery] = useSearchParams()
  const [dataset, setDataset] = useState<Dataset>((query.get('dataset') as Dataset | null) ?? 'Physician FFS')
  const code = query.get('code') ?? ''
  const year = query.get('year') ?? ''
  const state = query.get('state') ?? 'national'
  const asked = query.has('dataset')
  const rows = useQuery({
    queryKey: ['medicare', dataset, code, year, state],
    enabled: asked,
    queryFn: ({ signal }) =>
      call(
        'medicare',
        {
          medicareType: dataset,
          ...(code && dataset !== 'Anesthesia' && { codes: code.split(/[\s,]+/).filter(Boolean) }),
          ...(year && { years: [Number(year)] }),
          ...(dataset === 'Physician FFS' && { states: [state] }),
        },
        signal,
      ),
  })
  return (
    <>
      <h1>Medicare</h1>
      <section className="card">
        <Form
          action="Look up"
          send={async (values) => {
            setQuery(
              new URLSearchParams({
                dataset,
                ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
              }),
            )
          }}
        >
          {() => (
            <div className="row">
              <SelectField
                label="Table"
                value={dataset}
                onChange={(value) => setDataset(value as Dataset)}
                options={datasets.map((value) => ({ value, label: value }))}
              />
              {dataset !== 'Anesthesia' && (
                <TextField
                  label="Codes"
                  name="code"
                  defaultValue={code}
                  placeholder={dataset === 'MS-DRG weight' ? '470' : '99213'}
                />
              )}
              <TextField
                label="Year"
                name="year"
                inputMode="numeric"
                defaultValue={year}
                hint="Newest without it"
              />
              {dataset === 'Physician FFS' && (
                <div className="field">
                  <label htmlFor="medicare-state">State</label>
                  <select id="medicare-state" name="state" defaultValue={state}>
                    <option value="national">National</option>
                    {states.map((one) => (
                      <option key={one}>{one}</option>
                    ))}
                  </select>
                </div>
              )}
            </div>
          )}
        </Form>
      </section>
      {rows.isFetching && <Busy>Looking…</Busy>}
      {rows.isError && <FailureNotice failure={rows.error} retry={() => void rows.refetch()} />}
      {rows.isSuccess && <Result dataset={dataset} rows={rows.data} />}
    </>
  )
}

const money = (value: unknown) => (typeof value === 'number' ? moneyText(value) : '–')
const plain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const columns: Record<Dataset, readonly (readonly [string, string, (value: unknown) => string])[]> = {
  'Physician FFS': [
    ['code', 'Code', plain],
    ['modifier', 'Modifier', plain],
    ['year', 'Year', plain],
    ['state', 'State', plain],
    ['localityName', 'Locality', plain],
    ['nonFacilityAmount', 'Non-facility', money],
    ['facilityAmount', 'Facility', money],
    ['workRvu', 'Work RVU', plain],
    ['nonFacilityPracticeExpenseRvu', 'PE RVU (non-fac.)', plain],
    ['facilityPracticeExpenseRvu', 'PE RVU (fac.)', plain],
    ['malpracticeRvu', 'MP RVU', plain],
    ['conversionFactor', 'Factor', plain],
    ['sourceFile', 'Source', plain],
  ],
  'Drug ASP': [
    ['code', 'Code', plain],
    ['year', 'Year', plain],
    ['quarter', 'Quarter', plain],
    ['dosage', 'Dosage', plain],
    ['paymentLimit', 'Payment limit', money],
    ['sourceFile', 'Source', plain],
  ],
  'MS-DRG weight': [
    ['code', 'MS-DRG', plain],
    ['fiscalYear', 'Fiscal year', plain],
    ['mdc', 'MDC', plain],
    ['type', 'Type', plain],
    ['weight', 'Weight', plain],
    ['geometricMeanStay', 'Geometric stay', plain],
    ['arithmeticMeanStay', 'Mean stay', plain],
    ['sourceFile', 'Source', plain],
  ],
  Anesthesia: [
    ['year', 'Year', plain],
    ['state', 'State', plain],
    ['localityName', 'Locality', plain],
    ['conversionFactor', 'Factor', money],
    ['sourceFile', 'Source', plain],
  ],
}

function Result({ dataset, rows }: { dataset: Dataset; rows: readonly Row[] }) {
  if (rows.length === 0)
    return (
      <Notice title="Nothing found">
        Medicare’s loaded tables do not hold this code for this year. Try another year, or national.
      </Notice>
    )
  const shown = columns[dataset].filter(([key]) =>
    rows.some((row) => row[key] !== undefined && row[key] !== null),
  )
  return (
    <section className="stack">
      <DataTable
        caption={`${dataset} rows`}
        rows={rows}
        rowKey={(_, at) => String(at)}
        columns={shown.map(([key, title, text]) => ({
          key,
          title,
          number: rows.some((row) => typeof row[key] === 'number'),
          cell: (row: Row) => text(row[key]),
          sort: (row: Row) => (row[key] as string | number | null | undefined) ?? null,
        }))}
      />
      {dataset === 'Physician FFS' && (
        <details className="card">
          <summary>How the amount is computed</summary>
          <p>
            Work, practice-expense and malpractice relative values (RVU) are each multiplied by the locality’s
            cost index (GPCI), added up, multiplied by the year’s conversion factor, and rounded once to the
            cent, half up. National amounts use indices of one. “Facility” is what Medicare pays the physician
            where a facility is paid as well; “non-facility” where it is not.
          </p>
        </details>
      )}
    </section>
  )
}
