import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { WebResponse } from '../../src/operations/app.ts'
import { call } from '../api.ts'
import { kindNames } from '../kinds.ts'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import { TypeAhead } from '../parts/type-ahead.tsx'
import { SignedIn } from '../session.tsx'

/** Finds a provider by a few letters or digits. */
export function Providers() {
  return <SignedIn>{() => <Finder />}</SignedIn>
}

function Finder() {
  const navigate = useNavigate()
  const [address, setAddress] = useSearchParams()
  const [text, setText] = useState(address.get('find') ?? '')
  const query = text.trim()
  const found = useQuery<WebResponse<'suggestProviders'>>({
    queryKey: ['suggest', query],
    enabled: query.length >= 2,
    placeholderData: (before) => before,
    queryFn: ({ signal }) => call('suggestProviders', { query }, signal),
  })
  const options = query.length < 2 ? [] : (found.data ?? [])
  return (
    <>
      <h1>Providers</h1>
      <p className="soft">
        Who is paid: people and groups (NPI), hospitals (CCN) and taxpayers (TIN). Finding them is free.
      </p>
      <section className="card" aria-label="Search">
        <TypeAhead
          label="Find a provider"
          hint="A name, an NPI, a hospital’s CCN or a TIN; two letters or three digits are enough"
          placeholder="mercy hosp, 1234567893 …"
          text={text}
          onText={(next) => {
            setText(next)
            setAddress(next === '' ? {} : { find: next }, { replace: true })
          }}
          autoFocus
          inline
          busy={found.isFetching}
          options={options.map(({ kind, id, title }) => ({
            value: `${kind}/${id}`,
            label: title,
            note: `${kindNames[kind]} ${id}`,
          }))}
          onPick={({ value }) => void navigate(`/providers/${value}`)}
        />
        {found.isError && <FailureNotice failure={found.error} retry={() => void found.refetch()} />}
        {found.isSuccess && options.length === 0 && query.length >= 2 && !found.isFetching && (
          <Notice title="Nobody found">Try fewer letters, or the NPI, CCN or TIN.</Notice>
        )}
      </section>
    </>
  )
}
