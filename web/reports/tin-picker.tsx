import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebResponse } from '../../src/operations/app.ts'
import { tinFromPasted, type TinEntry } from '../../src/operations/contract-model.ts'
import { call } from '../api.ts'
import { Chips } from '../parts/choices.tsx'
import { TypeAhead } from '../parts/type-ahead.tsx'

const pasted = 'pasted'

/** The TINs in a pasted text: one with any formatting, or several apart from each other. */
function tinsFrom(text: string): number[] {
  const whole = tinFromPasted(text)
  if (whole !== undefined) return [whole]
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  const tins = parts.map(tinFromPasted)
  return parts.length > 1 && tins.every((tin) => tin !== undefined) ? [...new Set(tins as number[])] : []
}

/** TINs found by name or number, or pasted. */
export function TinPicker({
  label,
  hint,
  chosen,
  onChange,
  most,
}: {
  label: string
  hint?: string
  chosen: readonly TinEntry[]
  onChange: (chosen: TinEntry[]) => void
  most: number
}) {
  const [text, setText] = useState('')
  const query = text.trim()
  const found = useQuery<WebResponse<'suggestProviders'>>({
    queryKey: ['suggest', query],
    enabled: query.length >= 2,
    placeholderData: (before) => before,
    queryFn: ({ signal }) => call('suggestProviders', { query }, signal),
  })
  const taken = new Set(chosen.map(({ value }) => value))
  const given = tinsFrom(query).filter((tin) => !taken.has(tin))
  const matches = (query.length < 2 ? [] : (found.data ?? [])).filter(
    ({ kind, id }) => kind === 'tin' && !taken.has(Number(id)),
  )
  const known = new Set(matches.map(({ id }) => Number(id)))
  const add = (entries: readonly TinEntry[]) => {
    onChange([...chosen, ...entries].slice(0, most))
    setText('')
  }
  const options = [
    ...(given.length === 1 && known.has(given[0]!)
      ? []
      : given.length > 0
        ? [{ value: pasted, label: given.length === 1 ? `Add ${given[0]}` : `Add ${given.length} TINs` }]
        : []),
    ...matches.map(({ id, title }) => ({ value: id, label: title, note: `TIN ${id}` })),
  ]
  return (
    <div className="stack tight">
      <TypeAhead
        label={label}
        {...(chosen.length >= most ? { hint: `At most ${most}.` } : hint && { hint })}
        placeholder="Name or TIN"
        options={chosen.length >= most ? [] : options}
        text={text}
        busy={found.isFetching}
        onText={setText}
        onBackspace={() => onChange(chosen.slice(0, -1))}
        onPick={({ value, label: title }) =>
          add(
            value === pasted
              ? given.map((tin) => ({ value: tin, title: String(tin), grouping: null }))
              : [{ value: Number(value), title, grouping: null }],
          )
        }
      />
      <Chips
        label={label}
        chosen={chosen.map(({ value, title }) => ({
          value: String(value),
          label: title === String(value) ? title : `${title} ${value}`,
          chip: title,
        }))}
        onChange={(left) => onChange(chosen.filter(({ value }) => left.includes(String(value))))}
      />
    </div>
  )
}
