import { useQuery } from '@tanstack/react-query'
import { call } from './api.ts'
import { manyText } from './parts/format.ts'

/** What this server offers somebody new. */
export function useOffer() {
  return useQuery({
    queryKey: ['me', 'offer'],
    staleTime: Infinity,
    queryFn: ({ signal }) => call('signUpOffer', {}, signal),
  }).data
}

/** `5 free calls`; nothing where none are given. */
export const freeCalls = (credits = 0) => (credits === 0 ? '' : manyText(credits, 'free call'))
