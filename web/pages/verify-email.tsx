import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { call } from '../api.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'

/** Confirms an address through its link. */
export function VerifyEmail() {
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  const verified = useQuery({
    queryKey: ['verify', token],
    queryFn: async () => {
      await call('verifyEmail', { token })
      return true
    },
    retry: false,
    staleTime: Infinity,
  })
  return (
    <section className="card narrow">
      <h1>Confirm your address</h1>
      {verified.isPending && <Busy>One moment…</Busy>}
      {verified.isError && (
        <>
          <FailureNotice failure={verified.error} />
          <Link to="/account/settings">Get a new link in your settings</Link>
        </>
      )}
      {verified.isSuccess && (
        <Notice title="Thank you, your address is confirmed">
          <Link to="/account">Go to your account</Link>
        </Notice>
      )}
    </section>
  )
}
