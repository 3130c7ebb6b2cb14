import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 62rem)')

/** Whether the page has room for one column only, as on a phone. */
export const useNarrow = () =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => query.matches,
  )
