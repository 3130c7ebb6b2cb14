import { Link } from 'react-router'
import { useMe } from '../session.tsx'

/** What this is, for somebody who meets it for the first time. */
export function Landing() {
  const { data: me } = useMe()
  return (
    <>
      <section className="hero">
        <h1>What insurers really agreed to pay.</h1>
        <p>
          US insurers must publish every rate they negotiated with every provider. Ratebook reads those files
          and answers questions about them: exact, traceable to the file, in milliseconds.
        </p>
        <div className="row">
          {me ? (
            <Link className="button primary" to="/documentation">
              Go to the API
            </Link>
          ) : (
            <>
              <Link className="button primary" to="/sign-up">
                Sign up, five calls free
              </Link>
              <Link className="button" to="/log-in">
                Log in
              </Link>
            </>
          )}
        </div>
      </section>
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
            Every published rate of an NPI, a TIN or a hospital, with its network and plan, as a share of
            Medicare.
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
