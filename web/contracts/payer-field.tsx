import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api.ts'
import { TypeAhead } from '../parts/type-ahead.tsx'

const shownMost = 40

/** A payer of the registry, found while one types. The form gets its identifier, or the words where they name none. */
export function PayerField({
  name,
  label,
  value,
  autoFocus = false,
}: {
  name: string
  label: string
  value: string
  autoFocus?: boolean
}) {
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('catalog', {}, signal),
  })
  const [typed, setTyped] = useState<string>()
  const payers = catalog.data?.payers ?? []
  const text = typed ?? payers.find(({ payer }) => payer === value)?.name ?? value
  const meant = payers.find((one) => isSame(one.name, text) || isSame(one.payer, text))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const options = payers
    .filter((one) => words.every((word) => `${one.name} ${one.payer}`.toLowerCase().includes(word)))
    .toSorted((a, b) => Number(beginsWith(b.name, text)) - Number(beginsWith(a.name, text)))
    .slice(0, shownMost)
    .map((one) => ({ value: one.payer, label: one.name, note: one.states.join(', ') }))
  return (
    <>
      <TypeAhead
        label={label}
        hint="A payer as Ratebook knows it, so that its published rates can be found."
        placeholder="Type to search"
        text={text}
        onText={setTyped}
        onPick={(option) => setTyped(option.label)}
        options={meant && typed === undefined ? [] : options}
        busy={catalog.isPending}
        autoFocus={autoFocus}
      />
      <input type="hidden" name={name} value={meant?.payer ?? text.trim()} />
    </>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase()
const beginsWith = (name: string, text: string) => name.toLowerCase().startsWith(text.trim().toLowerCase())
