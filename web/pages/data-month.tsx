import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import type { WebResponse } from '../../src/operations/app.ts'
import { filesShownMost } from '../../src/operations/data-views.ts'
import { call } from '../api.ts'
import { bytesText, countText, manyText, monthText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { yearMonthFrom } from '../question.ts'
import { SignedIn } from '../session.tsx'

type LoadedFile = WebResponse<'loadedFiles'>['files'][number]

/** The files behind one month of one payer, and what was odd in each. */
export function DataMonth() {
  return <SignedIn>{() => <Files />}</SignedIn>
}

function Files() {
  const { payer = '', month = '' } = useParams()
  const [query, setQuery] = useSearchParams()
  const digest = query.get('file') ?? undefined
  const odd = query.get('odd') === 'only' ? ('only' as const) : undefined
  const start = Number(query.get('start') ?? 0)
  const files = useQuery({
    queryKey: ['files', payer, month, digest, odd, start],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('loadedFiles', { payer, month, digest, odd, start }, signal),
  })
  const set = (part: Record<string, string>) => setQuery({ ...(odd && { odd }), ...part })
  return (
    <>
      <div className="stack tight">
        <Link to="/data" className="small">
          All data
        </Link>
        <h1>
          {payer}, {/^\d{4}-\d\d$/.test(month) ? monthText(yearMonthFrom(month)) : month}
        </h1>
      </div>
      {digest !== undefined && (
        <Notice title="Where the rate was first seen">
          <code className="wrap">{query.get('place')}</code>, byte{' '}
          {countText(Number(query.get('offset') ?? 0))} of the unpacked file below.{' '}
          <Link to={`/data/${encodeURIComponent(payer)}/${month}`}>See all files of the month</Link>
        </Notice>
      )}
      {files.isPending && <Busy>Loading…</Busy>}
      {files.isError && <FailureNotice failure={files.error} retry={() => void files.refetch()} />}
      {files.isSuccess && (
        <>
          {digest === undefined && (
            <div className="row between">
              <span className="soft">
                {manyText(files.data.total, 'file')}
                {odd && ' with findings'}
              </span>
              <label className="check">
                <input
                  type="checkbox"
                  checked={odd !== undefined}
                  onChange={(event) => setQuery(event.target.checked ? { odd: 'only' } : {})}
                />
                Only files with findings
              </label>
            </div>
          )}
          {files.data.total === 0 && (
            <Notice title={odd ? 'Nothing odd' : 'Nothing loaded'}>
              {odd
                ? 'No file of this month has a finding.'
                : 'This payer has no such loaded file for this month.'}
            </Notice>
          )}
          {files.data.files.map((file) => (
            <FileCard key={file.digest + file.entry + file.address} file={file} />
          ))}
          {files.data.total > filesShownMost && digest === undefined && (
            <nav className="row" aria-label="Pages of files">
              <button
                type="button"
                className="button"
                disabled={start === 0}
                onClick={() => set({ start: String(Math.max(0, start - filesShownMost)) })}
              >
                Earlier files
              </button>
              <span className="soft small">
                {countText(start + 1)} to {countText(Math.min(start + filesShownMost, files.data.total))} of{' '}
                {countText(files.data.total)}
              </span>
              <button
                type="button"
                className="button"
                disabled={start + filesShownMost >= files.data.total}
                onClick={() => set({ start: String(start + filesShownMost) })}
              >
                Later files
              </button>
            </nav>
          )}
        </>
      )}
    </>
  )
}

const fileName = (address: string) => address.split(/[/\\]/).at(-1) ?? address
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

function FileCard({ file }: { file: LoadedFile }) {
  return (
    <section className="card">
      <h2 className="wrap">{[fileName(file.address), file.entry].filter(Boolean).join(' › ')}</h2>
      <dl className="facts small columns">
        <Fact name="Last updated on" value={file.lastUpdatedOn ?? 'not given'} />
        <Fact name="Size" value={bytesText(file.size)} />
        <Fact name="Prices" value={countText(numberOf(file['prices']))} />
        <Fact name="NPIs" value={countText(numberOf(file['npis']))} />
        <Fact name="Provider groups" value={countText(numberOf(file['groups']))} />
      </dl>
      <dl className="facts small">
        <Fact name="From" value={file.address} />
        <Fact name="SHA-256" value={file.digest} />
      </dl>
      <DataTable
        caption={`Findings in ${fileName(file.address)}`}
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
          {
            key: 'says',
            title: 'What was odd, and how it was handled',
            prose: true,
            cell: ({ says }) => <span className="wrap">{says}</span>,
          },
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
            prose: true,
            cell: ({ path, offset }) => (
              <code className="wrap">
                {[path, offset != null ? `byte ${countText(offset)}` : ''].filter(Boolean).join(' ')}
              </code>
            ),
          },
        ]}
      />
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="soft">{name}</dt>
      <dd className="wrap">{value}</dd>
    </div>
  )
}
