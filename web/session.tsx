import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { type ReactNode, useEffect } from 'react'
import type { WebResponse } from '../src/operations/app.ts'
import { ApiFailure, call, onCredits, rememberCsrfToken } from './api.ts'
import { Busy, FailureNotice } from './parts/notice.tsx'

export type Me = WebResponse<'me'>

/** Who is logged in; null for a visitor, undefined while we ask. */
export function useMe() {
  return useQuery<Me | null>({
    queryKey: ['me'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      try {
        const me = await call('me', {}, signal)
        rememberCsrfToken(me.csrfToken)
        return me
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 401) return null
        throw error
      }
    },
  })
}

/** Keeps the number of credits in the top bar true. */
export function useCredits(): void {
  const queries = useQueryClient()
  useEffect(() => {
    onCredits((credits) =>
      queries.setQueryData<Me | null>(
        ['me'],
        (me) => me && { ...me, organization: { ...me.organization, credits } },
      ),
    )
  }, [queries])
}

/** Takes a fresh log-in into the application, forgetting what another user saw. */
export function useEnter() {
  const queries = useQueryClient()
  return async () => {
    const me = await call('me', {})
    rememberCsrfToken(me.csrfToken)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    queries.setQueryData(['me'], me)
  }
}

/** Forgets the user. */
export function useLeave() {
  const queries = useQueryClient()
  return () => {
    rememberCsrfToken('')
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    queries.setQueryData(['me'], null)
  }
}

/** Shows its children to somebody who is logged in, and sends everybody else to the log-in page and back. */
export function SignedIn({ children }: { children: (me: Me) => ReactNode }) {
  const me = useMe()
  const place = useLocation()
  if (me.isPending) return <Busy>Loading…</Busy>
  if (me.isError) return <FailureNotice failure={me.error} retry={() => void me.refetch()} />
  if (!me.data)
    return <Navigate to={`/log-in?next=${encodeURIComponent(place.pathname + place.search)}`} replace />
  return <>{children(me.data)}</>
}
