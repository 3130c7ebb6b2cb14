import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api.ts'
import { countText, monthText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { yearMonthFrom } from '../question.ts'
import { SignedIn } from '../session.tsx'

const megabytes = (bytes: number) =>
  bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** What is loaded: payers, months, counts, and how good the files were. */
export function Data() {
  return <SignedIn>{() => <Months />}</SignedIn>
}

function Months() {
  const loaded = useQuery({ queryKey: ['data'], queryFn: ({ signal }) => call('loadedMonths', {}, signal) })
  if (loaded.isPending) return <Busy>Loading…</Busy>
  if (loaded.isError) return <FailureNotice failure={loaded.error} retry={() => void loaded.refetch()} />
  const count = (name: string) => (row: { counts: Record<string, number> }) => row.counts[name] ?? 0
  const number = (key: string, title: string) => ({
    key,
    title,
    number: true,
    cell: (row: { counts: Record<string, number> }) => countText(count(key)(row)),
    sort: count(key),
  })
  return (
    <>
      <h1>Data</h1>
      <p className="soft">
        Every number can be traced to a file. State of the data: <code>{loaded.data.snapshot}</code>
      </p>
      <DataTable
        caption="Loaded months"
        rows={loaded.data.months}
        rowKey={({ payer, month }) => `${payer} ${month}`}
        empty="No rates are loaded yet. The operator loads payer files with “ratebook ingest”."
        columns={[
          {
            key: 'payer',
            title: 'Payer',
            cell: ({ payer, name, month, synthetic }) => (
              <>
                <Link to={`/data/${encodeURIComponent(payer)}/${month}`}>{name}</Link>{' '}
                {synthetic && !name.includes('SYNTHETIC') && <span className="badge warn">synthetic</span>}
              </>
            ),
            sort: ({ name }) => name,
          },
          {
            key: 'month',
            title: 'Month',
            cell: ({ month }) => monthText(yearMonthFrom(month)),
            sort: ({ month }) => month,
          },
          number('files', 'Files'),
          number('prices', 'Prices'),
          number('entries', 'Entries'),
          number('npis', 'NPIs'),
          number('tins', 'TINs'),
          {
            key: 'errors',
            title: 'Errors',
            number: true,
            cell: ({ quality }) => countText(Number(quality['errors'] ?? 0)),
            sort: ({ quality }) => Number(quality['errors'] ?? 0),
          },
          {
            key: 'warnings',
            title: 'Warnings',
            number: true,
            cell: ({ quality }) => countText(Number(quality['warnings'] ?? 0)),
            sort: ({ quality }) => Number(quality['warnings'] ?? 0),
          },
          {
            key: 'bytes',
            title: 'Size',
            number: true,
            cell: ({ bytes }) => megabytes(bytes),
            sort: ({ bytes }) => bytes,
          },
        ]}
      />
    </>
  )
}

/** The files behind one month of one payer. */
export function DataMonth() {
  return <SignedIn>{() => <Files />}</SignedIn>
}

function Files() {
  const { payer = '', month = '' } = useParams()
  const files = useQuery({
    queryKey: ['files', payer, month],
    queryFn: ({ signal }) => call('loadedFiles', { payer, month }, signal),
  })
  if (files.isPending) return <Busy>Loading…</Busy>
  if (files.isError) return <FailureNotice failure={files.error} retry={() => void files.refetch()} />
  return (
    <>
      <div className="stack tight">
        <Link to="/data">All data</Link>
        <h1>
          {payer}, {monthText(yearMonthFrom(month))}
        </h1>
      </div>
      {files.data.length === 0 && (
        <Notice title="No such month">This payer has no loaded file for this month.</Notice>
      )}
      {files.data.map((file) => (
        <section key={file.digest + file.entry} className="card">
          <h2 className="wrap">{[fileName(file.address), file.entry].filter(Boolean).join(' › ')}</h2>
          <dl className="facts small">
            <Fact name="From" value={file.address} />
            <Fact name="SHA-256" value={file.digest} />
            <Fact name="Size" value={megabytes(file.size)} />
            <Fact name="Last updated on" value={file.lastUpdatedOn ?? 'not given'} />
          </dl>
          <DataTable
            caption="Findings"
            rows={file.findings}
            rowKey={({ kind, path }, at) => `${kind} ${path} ${at}`}
            empty="Nothing odd in this file."
            columns={[
              {
                key: 'severity',
                title: 'Severity',
                cell: ({ severity }) => (
                  <span
                    className={`badge ${severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : ''}`}
                  >
                    {severity}
                  </span>
                ),
                sort: ({ severity }) => severity,
              },
              { key: 'says', title: 'What was odd, and how it was handled', cell: ({ says }) => says },
              {
                key: 'count',
                title: 'Times',
                number: true,
                cell: (finding) => countText(finding.count),
                sort: (finding) => finding.count,
              },
              {
                key: 'place',
                title: 'First at',
                cell: ({ path, offset }) => (
                  <code className="wrap">
                    {[path, offset != null ? `byte ${countText(offset)}` : ''].filter(Boolean).join(' ')}
                  </code>
                ),
              },
            ]}
          />
        </section>
      ))}
    </>
  )
}

const fileName = (address: string) => address.split(/[/\\]/).at(-1) ?? address

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="soft">{name}</dt>
      <dd className="wrap">{value}</dd>
    </div>
  )
}
