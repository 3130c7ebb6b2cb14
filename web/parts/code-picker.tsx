import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebResponse } from '../../src/operations/app.ts'
import { call } from '../api.ts'
import { Chips } from './choices.tsx'
import { TypeAhead } from './type-ahead.tsx'

/** Billing codes that the loaded data hold, found by their beginning. */
export function CodePicker({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const found = useQuery<WebResponse<'codes'>>({
    queryKey: ['codes', typed],
    enabled: typed.length > 0,
    staleTime: 60_000,
    placeholderData: (before) => before,
    queryFn: ({ signal }) => call('codes', { query: typed }, signal),
  })
  const options = (typed === '' ? [] : (found.data ?? []))
    .map(({ code, type, group }) => ({
      value: `${code}:${type}`,
      label: code,
      note: [type, group].filter(Boolean).join(', '),
    }))
    .filter(({ value }) => !chosen.includes(value))
  const nothing = typed !== '' && found.isSuccess && !found.isFetching && found.data.length === 0
  return (
    <div className="stack tight">
      <TypeAhead
        label="Billing codes"
        {...(nothing
          ? { hint: `No loaded code begins with “${typed}”.` }
          : chosen.length === 0 && {
              hint: 'CPT, HCPCS, revenue code, MS-DRG, APR-DRG: type the first characters',
            })}
        placeholder="99213"
        options={options}
        text={text}
        busy={found.isFetching}
        onText={setText}
        onBackspace={() => onChange(chosen.slice(0, -1))}
        onPick={({ value }) => {
          onChange([...chosen, value])
          setText('')
        }}
      />
      <Chips
        label="Billing codes"
        chosen={chosen.map((value) => ({ value, label: value.replace(':', ' ') }))}
        onChange={onChange}
      />
    </div>
  )
}
