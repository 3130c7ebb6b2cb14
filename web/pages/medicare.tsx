import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { states } from '../../src/vocabulary/enums.ts'
import { call } from '../api.ts'
import { Form, SelectField, TextField } from '../parts/form.tsx'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { SignedIn } from '../session.tsx'
import { type Dataset, datasets, MedicareTable } from './medicare-table.tsx'

/** What Medicare pays for a code, and how the amount comes about. */
export function Medicare() {
  return <SignedIn>{() => <Lookup />}</SignedIn>
}

const asDataset = (text: string | null): Dataset =>
  datasets.find((known) => known === text) ?? 'Physician FFS'

function Lookup() {
  const [query, setQuery] = useSearchParams()
  const dataset = asDataset(query.get('dataset'))
  const code = query.get('code') ?? ''
  const year = query.get('year') ?? ''
  const state = query.get('state') ?? 'national'
  const rows = useQuery({
    queryKey: ['medicare', dataset, code, year, state],
    enabled: query.has('dataset'),
    staleTime: 60_000,
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
      {/* A link or a step back brings its own question into the form. */}
      <LookupForm
        key={query.toString()}
        {...{ dataset, code, year, state }}
        send={(values) => setQuery(values)}
      />
      {!query.has('dataset') && (
        <Notice title="What does Medicare pay?">
          Enter a code, such as 99213, and choose a state to see the amount in each of its localities and how
          it is computed. Looking up is free.
        </Notice>
      )}
      {rows.isFetching && <Busy>Looking…</Busy>}
      {rows.isError && <FailureNotice failure={rows.error} retry={() => void rows.refetch()} />}
      {rows.isSuccess &&
        !rows.isFetching &&
        (rows.data.length === 0 ? (
          <Notice title="Nothing found">
            Medicare’s loaded tables do not hold this code for this year. Try another year, or national.
          </Notice>
        ) : (
          <MedicareTable dataset={dataset} rows={rows.data} />
        ))}
    </>
  )
}

const codeHints: Record<Dataset, string> = {
  'Physician FFS': '99213',
  'Drug ASP': 'J1745',
  'MS-DRG weight': '470',
  Anesthesia: '',
}

function LookupForm({
  dataset: given,
  code,
  year,
  state,
  send,
}: {
  dataset: Dataset
  code: string
  year: string
  state: string
  send: (values: Record<string, string>) => void
}) {
  const [dataset, setDataset] = useState(given)
  return (
    <section className="card">
      <Form
        action="Look up"
        send={async (values) =>
          send({
            dataset,
            ...Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')),
          })
        }
      >
        {() => (
          <div className="inline-fields">
            <SelectField
              label="Table"
              value={dataset}
              onChange={(value) => setDataset(asDataset(value))}
              options={datasets.map((value) => ({ value, label: value }))}
            />
            {dataset !== 'Anesthesia' && (
              <TextField label="Codes" name="code" defaultValue={code} placeholder={codeHints[dataset]} />
            )}
            <TextField
              label="Year"
              name="year"
              inputMode="numeric"
              pattern="\d{4}"
              defaultValue={year}
              placeholder="newest"
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
  )
}
