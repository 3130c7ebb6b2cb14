import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebResponse } from '../../src/operations/app.ts'
import { call } from '../api.ts'
import { kindNames } from '../kinds.ts'
import { Chips } from '../parts/choices.tsx'
import { TypeAhead } from '../parts/type-ahead.tsx'
import type { ChosenProvider } from './report-question.ts'

/** Providers, hospitals and taxpayers by a few letters or digits. */
export function ProviderPicker({
  chosen,
  onChange,
}: {
  chosen: readonly ChosenProvider[]
  onChange: (chosen: ChosenProvider[]) => void
}) {
  const [text, setText] = useState('')
  const query = text.trim()
  const found = useQuery<WebResponse<'suggestProviders'>>({
    queryKey: ['suggest', query],
    enabled: query.length >= 2,
    placeholderData: (before) => before,
    queryFn: ({ signal }) => call('suggestProviders', { query }, signal),
  })
  const keyOf = ({ kind, id }: Pick<ChosenProvider, 'kind' | 'id'>) => `${kind} ${id}`
  const taken = new Set(chosen.map(keyOf))
  const matches = (query.length < 2 ? [] : (found.data ?? [])).filter((one) => !taken.has(keyOf(one)))
  return (
    <div className="stack tight">
      <TypeAhead
        label="Providers"
        {...(chosen.length === 0 && { hint: 'A name, NPI, CCN or TIN' })}
        placeholder="mercy hosp"
        options={matches.map((one) => ({
          value: keyOf(one),
          label: one.title,
          note: `${kindNames[one.kind]} ${one.id}`,
        }))}
        text={text}
        busy={found.isFetching}
        onText={setText}
        onBackspace={() => onChange(chosen.slice(0, -1))}
        onPick={({ value }) => {
          const { kind, id, title } = matches.find((one) => keyOf(one) === value)!
          onChange([...chosen, { kind, id, title }])
          setText('')
        }}
      />
      <Chips
        label="Providers"
        chosen={chosen.map((one) => ({
          value: keyOf(one),
          label: `${one.title} (${kindNames[one.kind]} ${one.id})`,
        }))}
        onChange={(left) => onChange(chosen.filter((one) => left.includes(keyOf(one))))}
      />
    </div>
  )
}
