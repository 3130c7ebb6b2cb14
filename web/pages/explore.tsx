import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../api.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { manyText } from '../parts/format.ts'
import { useNarrow } from '../narrow.ts'
import { exampleQuestion, missing, type Question, queryOf, questionFrom, type View } from '../question.ts'
import { SignedIn } from '../session.tsx'
import { ExploreAnswer } from './explore-answer.tsx'
import { ExploreForm } from './explore-form.tsx'

/** The benchmark question as a form that helps, the answer as a picture first. Every view is its address. */
export function Explore() {
  return <SignedIn>{() => <Explorer />}</SignedIn>
}

const viewNames: Record<View, string> = { payer: 'By payer', state: 'By state', time: 'Over time' }

/** The question without the way it is looked at: what the form holds. */
const asked = (question: Question) =>
  queryOf({ ...question, view: 'payer', compare: 'none', order: '' }).toString()

/** A question in one line, where the form is folded away. */
const summaryOf = ({ payers, codes, taxonomies, states }: Question) =>
  [
    codes.map((code) => code.replace(':', ' ')).join(', '),
    manyText(payers.length, 'payer'),
    taxonomies.length === 1 ? '1 specialty' : `${taxonomies.length} specialties`,
    states.length <= 6 ? states.join(', ') : manyText(states.length, 'state'),
  ].join(' · ')

function Explorer() {
  const [query, setQuery] = useSearchParams()
  const question = questionFrom(query)
  const [draft, setDraft] = useState(question)
  const [tried, setTried] = useState(false)
  const [unfolded, unfold] = useState(false)
  const narrow = useNarrow()
  const address = asked(question)
  // Back, forward and links bring their own question into the form.
  useEffect(() => setDraft(questionFrom(new URLSearchParams(address))), [address])

  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  if (catalog.isPending) return <Busy>Loading what there is…</Busy>
  if (catalog.isError) return <FailureNotice failure={catalog.error} retry={() => void catalog.refetch()} />
  const loaded = catalog.data.payers.filter(({ months }) => months.length > 0)
  if (loaded.length === 0)
    return (
      <Notice title="No rates are loaded yet">
        The operator of this server loads payer files with <code>ratebook ingest</code>, or the synthetic demo
        with <code>ratebook demo</code>.
      </Notice>
    )

  const show = (next: Question) => setQuery(queryOf(next))
  const send = () => {
    setTried(true)
    if (missing(draft).length > 0) return
    unfold(false)
    show({ ...draft, view: question.view, compare: question.compare, order: '' })
  }
  return (
    <>
      <div className="row between">
        <h1>Explore prices</h1>
        {catalog.data.synthetic && <span className="badge warn">Synthetic demo data</span>}
      </div>
      <div className="split">
        {narrow && !unfolded && missing(question).length === 0 ? (
          <div className="row between">
            <span className="soft small">{summaryOf(question)}</span>
            <button type="button" className="button" onClick={() => unfold(true)}>
              Change the question
            </button>
          </div>
        ) : (
          <ExploreForm
            draft={draft}
            change={(part) => setDraft((now) => ({ ...now, ...part }))}
            payers={loaded}
            send={send}
            changed={missing(question).length === 0 && asked(draft) !== address}
            wanted={tried ? missing(draft) : []}
          />
        )}
        <div className="stack">
          {missing(question).length > 0 ? (
            <Notice title="What does the market pay?">
              <div className="stack tight">
                <p>
                  Choose payers, a billing code, specialties and states, then “Show prices”: the spread of
                  published rates by payer, by state and over time, exact to the cent.
                </p>
                <div className="row">
                  <button type="button" className="button" onClick={() => show(exampleQuestion(loaded))}>
                    Show an example
                  </button>
                  <span className="soft small">An office visit, for one credit</span>
                </div>
              </div>
            </Notice>
          ) : (
            <>
              <nav className="tabs" aria-label="View">
                {(Object.keys(viewNames) as View[]).map((view) => (
                  <button
                    key={view}
                    type="button"
                    aria-current={view === question.view ? 'page' : undefined}
                    onClick={() => show({ ...question, view, order: '' })}
                  >
                    {viewNames[view]}
                  </button>
                ))}
              </nav>
              <ExploreAnswer question={question} show={show} loaded={loaded} />
            </>
          )}
        </div>
      </div>
    </>
  )
}
