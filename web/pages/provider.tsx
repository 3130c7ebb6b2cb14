import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { ApiFailure, call } from '../api.ts'
import { countText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { SignedIn } from '../session.tsx'
import { FeeSchedule } from './fee-schedule.tsx'
import { kindNames } from '../kinds.ts'
import type { ProviderView } from './provider-view.ts'

/** Who a provider is, and what each payer agreed to pay them beside what the market gets. */
export function Provider() {
  const { kind = '', id = '' } = useParams()
  return (
    <SignedIn>
      {() =>
        kind in kindNames ? (
          <ProviderPage key={`${kind} ${id}`} kind={kind as ProviderView['kind']} id={id} />
        ) : (
          <Notice title="There is no such page">
            <Link to="/providers">Find a provider</Link>
          </Notice>
        )
      }
    </SignedIn>
  )
}

function ProviderPage({ kind, id }: { kind: ProviderView['kind']; id: string }) {
  const provider = useQuery({
    queryKey: ['provider', kind, id],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('provider', { kind, id }, signal),
  })
  const name = provider.data?.name
  useEffect(() => {
    if (name) document.title = `${name} – Ratebook`
  }, [name])
  if (provider.isPending) return <Busy>Looking them up…</Busy>
  if (provider.isError)
    return provider.error instanceof ApiFailure && [400, 404].includes(provider.error.status) ? (
      <>
        <h1>
          {kindNames[kind]} {id}
        </h1>
        <Notice title="Not known">
          {provider.error.message} <Link to="/providers">Find another provider</Link>
        </Notice>
      </>
    ) : (
      <FailureNotice failure={provider.error} retry={() => void provider.refetch()} />
    )
  return (
    <>
      <div className="stack tight">
        <Link to="/providers" className="small">
          All providers
        </Link>
        <div className="row between">
          <h1>{name}</h1>
          <span className="badge">
            {kindNames[kind]} {id}
          </span>
        </div>
      </div>
      <div className="split">
        <Identity view={provider.data} />
        <FeeSchedule view={provider.data} />
      </div>
    </>
  )
}

function Identity({ view: { facts, payers, related, relatedTotal } }: { view: ProviderView }) {
  return (
    <aside className="card small" aria-label="Identity">
      <dl className="facts">
        {facts.map((fact) => (
          <div key={fact.name}>
            <dt className="soft">{fact.name}</dt>
            <dd className="wrap">{fact.value}</dd>
          </div>
        ))}
        {payers.length > 0 && (
          <div>
            <dt className="soft">Payers that list it</dt>
            <dd>{payers.join(', ')}</dd>
          </div>
        )}
      </dl>
      {related.length > 0 && (
        <details open={related.length <= 8}>
          <summary>Belongs with ({countText(relatedTotal)})</summary>
          <ul className="plain stack tight">
            {related.map((other) => (
              <li key={`${other.kind} ${other.id}`}>
                <Link to={`/providers/${other.kind}/${other.id}`}>
                  {other.name ?? `${kindNames[other.kind]} ${other.id}`}
                </Link>
                {other.name && (
                  <span className="soft">
                    {' '}
                    {kindNames[other.kind]} {other.id}
                  </span>
                )}
              </li>
            ))}
            {relatedTotal > related.length && (
              <li className="soft">and {countText(relatedTotal - related.length)} more</li>
            )}
          </ul>
        </details>
      )}
    </aside>
  )
}
