import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { call } from '../api.ts'
import { Busy } from '../parts/notice.tsx'
import { groupsOf } from '../pivot.ts'
import { freeCalls, useOffer } from '../offer.ts'
import { useMe } from '../session.tsx'

const SpreadChart = lazy(() =>
  import('../parts/spread-chart.tsx').then((part) => ({ default: part.SpreadChart })),
)

/** What this is, for somebody who meets it for the first time. */
export function Landing() {
  const { data: me } = useMe()
  const offer = useOffer()
  return (
    <>
      <div className="welcome">
        <section className="hero">
          <h1>What insurers really agreed to pay.</h1>
          <p>
            US insurers must publish every rate they negotiated with every provider. Ratebook reads those
            files and answers questions about them: exact, and traceable to the file.
          </p>
          <div className="row">
            {me ? (
              <Link className="button primary large" to="/explore">
                Explore prices
              </Link>
            ) : (
              <>
                {offer?.isOpen !== false && (
                  <Link className="button primary large" to="/sign-up">
                    {['Sign up', freeCalls(offer?.credits)].filter(Boolean).join(', ')}
                  </Link>
                )}
                <Link className="button large" to="/log-in">
                  Log in
                </Link>
              </>
            )}
          </div>
        </section>
        <Example />
      </div>
      <section className="figures" aria-label="What it does">
        <div className="card">
          <h2>Market benchmarks</h2>
          <p className="soft">
            Percentiles, means and counts over every entry of a market: payer, state, specialty, code, period.
            Never sampled, never estimated.
          </p>
        </div>
        <div className="card">
          <h2>A provider’s own rates</h2>
          <p className="soft">
            Every published rate of an NPI, a TIN or a hospital, with its networks, and where it stands in its
            market.
          </p>
        </div>
        <div className="card">
          <h2>For people, programs and agents</h2>
          <p className="soft">
            A REST API, a tool server for AI clients, and this application: the same questions, the same
            numbers.
          </p>
        </div>
      </section>
    </>
  )
}

/** One benchmark of what is loaded here; nothing where nothing is loaded. */
function Example() {
  const example = useQuery({
    queryKey: ['example'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('example', {}, signal),
  })
  if (example.isPending)
    return (
      <section className="card">
        <Busy>Asking the loaded data…</Busy>
      </section>
    )
  if (example.isError || example.data.code === null) return null
  const { synthetic, code, rows } = example.data
  return (
    <section className="card" aria-labelledby="example-title">
      <div className="row between">
        <h2 id="example-title">
          An office visit ({code.type} {code.code}), by payer
        </h2>
        {synthetic && <span className="badge warn">Synthetic demo data</span>}
      </div>
      <Suspense fallback={<Busy>Drawing…</Busy>}>
        <SpreadChart groups={groupsOf(rows)} asPercent={false} />
      </Suspense>
      <p className="soft small">
        {synthetic
          ? 'Live from this server. The payers, providers and rates are invented, to show what it does before real files are loaded.'
          : 'Live from this server: rates that the payers published, over all loaded states and specialties.'}
      </p>
    </section>
  )
}
