import { useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { countText, timeText } from '../parts/format.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'

/** What is left, and where it came from. */
export function Credits() {
  const credits = useQuery({ queryKey: ['credits'], queryFn: ({ signal }) => call('credits', {}, signal) })
  if (credits.isPending) return <Busy>Loading…</Busy>
  if (credits.isError) return <FailureNotice failure={credits.error} retry={() => void credits.refetch()} />
  return (
    <section className="stack">
      <div className="figures">
        <div className="card figure">
          <span className="soft">Credits left</span>
          <strong>{countText(credits.data.credits)}</strong>
        </div>
      </div>
      <p className="soft">
        One credit a successful call; failed calls cost nothing. The operator of this server grants credits
        with <code>ratebook accounts grant</code>.
      </p>
      <DataTable
        caption="Credits granted"
        rows={credits.data.grants}
        rowKey={({ grantedAt }, at) => `${grantedAt} ${at}`}
        empty="No credits were granted yet."
        columns={[
          {
            key: 'at',
            title: 'When',
            cell: ({ grantedAt }) => timeText(grantedAt),
            sort: ({ grantedAt }) => grantedAt,
          },
          {
            key: 'credits',
            title: 'Credits',
            number: true,
            cell: (grant) => countText(grant.credits),
            sort: (grant) => grant.credits,
          },
          { key: 'reason', title: 'Why', cell: ({ reason }) => reason },
        ]}
      />
    </section>
  )
}
