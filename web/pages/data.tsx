import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api.ts'
import { bytesText, countText, monthText } from '../parts/format.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import { yearMonthFrom } from '../question.ts'
import { SignedIn } from '../session.tsx'

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
        Every number of an answer can be traced to a file of its payer. State of the data:{' '}
        <code className="wrap">{loaded.data.snapshot}</code>
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
            cell: ({ bytes }) => <span title={`${countText(bytes)} bytes`}>{bytesText(bytes)}</span>,
            sort: ({ bytes }) => bytes,
          },
        ]}
      />
    </>
  )
}
