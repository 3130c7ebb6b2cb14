import { useSearchParams } from 'react-router'

/** How a tab is looked at, kept in the address: a link is the view. */
export function useViewParams() {
  const [query, setQuery] = useSearchParams()
  return {
    text: (name: string, fallback = '') => query.get(name) ?? fallback,
    list: (name: string, fallback: readonly string[] = []) => {
      const values = query.getAll(name)
      return values.length > 0 ? (values.includes('-') ? [] : values) : [...fallback]
    },
    /** An empty list is kept as such: it is not the fallback. */
    set: (part: Readonly<Record<string, string | readonly string[]>>) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(part)) {
            next.delete(name)
            if (typeof value === 'string') {
              if (value !== '') next.set(name, value)
            } else if (value.length === 0) next.set(name, '-')
            else for (const one of value) next.append(name, one)
          }
          return next
        },
        { replace: true },
      ),
  }
}
