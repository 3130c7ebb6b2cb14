import { freshId } from '../fresh-id.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { askReport, call } from '../api.ts'
import { Asking } from '../parts/asking.tsx'
import { TextField } from '../parts/form.tsx'
import { countText, manyText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { questionFrom } from '../question.ts'
import { missingParts, nameFor, type ReportDraft, reportQueryOf } from '../reports/report-question.ts'
import { ReportForm } from '../reports/report-form.tsx'
import { SignedIn } from '../session.tsx'

/** Makes a report in two steps: what it is about, then how large it would be. */
export function ReportNew() {
  return <SignedIn>{() => <Wizard />}</SignedIn>
}

function Wizard() {
  const [query] = useSearchParams()
  // The explorer hands its question over in the address.
  const [draft, setDraft] = useState<ReportDraft>(() => ({
    ...questionFrom(query),
    kind: 'market',
    providers: [],
  }))
  const [isSized, setSized] = useState(false)
  const [tried, setTried] = useState(false)
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  if (catalog.isPending) return <Busy>Loading what there is…</Busy>
  if (catalog.isError) return <FailureNotice failure={catalog.error} retry={() => void catalog.refetch()} />
  const loaded = catalog.data.payers.filter(({ months }) => months.length > 0)
  const missing = missingParts(draft)
  return (
    <>
      <div className="stack tight">
        <Link to="/reports" className="small">
          All reports
        </Link>
        <h1>New report</h1>
      </div>
      <ol className="steps soft small">
        <li aria-current={isSized ? undefined : 'step'}>1. What it is about</li>
        <li aria-current={isSized ? 'step' : undefined}>2. Its size, and go</li>
      </ol>
      {isSized ? (
        <SizeStep draft={draft} back={() => setSized(false)} />
      ) : (
        <ReportForm
          draft={draft}
          change={(part) => setDraft((now) => ({ ...now, ...part }))}
          payers={loaded}
          wanted={tried ? missing : []}
          send={() => {
            setTried(true)
            if (missing.length === 0) setSized(true)
          }}
        />
      )}
    </>
  )
}

function SizeStep({ draft, back }: { draft: ReportDraft; back: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState(nameFor(draft))
  // One key for this form: sending twice makes one report.
  const [idempotencyKey] = useState(() => freshId())
  const query = reportQueryOf(draft)
  const queryKey = ['estimate', query]
  const size = useQuery({
    queryKey,
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await askReport('estimateReport', { query }, { signal })).value,
  })
  const create = useMutation({
    mutationFn: () => askReport('createReport', { name, query }, { idempotencyKey }),
    onSuccess: async ({ value, etag }) => {
      queries.setQueryData(['report', value.id], { report: value, etag })
      await navigate(`/reports/${value.id}`)
    },
  })
  return (
    <section className="card" aria-label="Size">
      {size.isPending &&
        (size.fetchStatus === 'idle' ? (
          <Notice title="Cancelled">
            <button type="button" className="button" onClick={() => void size.refetch()}>
              Count again
            </button>
          </Notice>
        ) : (
          <Asking what="Counting rows…" cancel={() => void queries.cancelQueries({ queryKey })} />
        ))}
      {size.isError && <FailureNotice failure={size.error} retry={() => void size.refetch()} />}
      {size.isSuccess && (
        <>
          <p className="figure">
            <strong>{manyText(size.data.rows, 'row')}</strong>
            <span className="soft small">of at most {countText(size.data.rowsMost)} on this server</span>
          </p>
          {!size.data.fits && (
            <Notice kind="warn" title="Too large">
              Take fewer codes, states, payers or months.
            </Notice>
          )}
          {size.data.rows === 0 && (
            <Notice kind="warn" title="Nothing to keep">
              No published rate matches. Change the question, or choose another month.
            </Notice>
          )}
          <DataTable
            caption="Rows by payer and month"
            rows={size.data.byPayer}
            rowKey={({ payer, sourceMonth }) => `${payer} ${sourceMonth}`}
            columns={[
              { key: 'payer', title: 'Payer', cell: ({ payer }) => payer, sort: ({ payer }) => payer },
              {
                key: 'month',
                title: 'Month',
                cell: ({ sourceMonth }) => `${sourceMonth.slice(0, 4)}-${sourceMonth.slice(4)}`,
                sort: ({ sourceMonth }) => sourceMonth,
              },
              {
                key: 'rows',
                title: 'Rows',
                number: true,
                cell: ({ rows }) => countText(rows),
                sort: ({ rows }) => rows,
              },
            ]}
          />
          <TextField
            label="Name"
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
          />
        </>
      )}
      {create.isError && <FailureNotice failure={create.error} />}
      <div className="row">
        <button type="button" className="button" onClick={back}>
          Back
        </button>
        <button
          type="button"
          className="button primary"
          disabled={!size.data?.fits || size.data.rows === 0 || name.trim() === '' || create.isPending}
          onClick={() => create.mutate()}
        >
          {create.isPending ? 'One moment…' : 'Make the report'}
        </button>
        <span className="soft small">Takes one credit; looking at it afterwards is free.</span>
      </div>
    </section>
  )
}
