import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebResponse } from '../../src/operations/app.ts'
import { serviceCodeName, serviceCodes, states } from '../../src/vocabulary/enums.ts'
import { taxonomies } from '../../src/vocabulary/taxonomy.ts'
import { call } from '../api.ts'
import { monthText } from '../parts/format.ts'
import { Chips, CheckList, MultiSelect, type Option, TypeAhead } from '../parts/type-ahead.tsx'
import { type Question, yearMonthFrom } from '../question.ts'

export interface LoadedPayer {
  readonly payer: string
  readonly name: string
  readonly months: string[]
}

const same = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))
const stateOptions = same(states)
const taxonomyOptions = taxonomies.map(({ code, name }) => ({ value: code, label: name, note: code }))
const placeOptions = serviceCodes.map((code) => ({ value: code, label: `${code} ${serviceCodeName(code)}` }))

/** Who, where, what; the rest folded away with good defaults. */
export function ExploreForm({
  question,
  change,
  payers,
}: {
  question: Question
  change: (part: Partial<Question>) => void
  payers: readonly LoadedPayer[]
}) {
  const months = [
    ...new Set(
      payers
        .filter(({ payer }) => question.payers.length === 0 || question.payers.includes(payer))
        .flatMap((payer) => payer.months),
    ),
  ]
    .sort()
    .reverse()
  const narrowed =
    question.zips.length +
    question.entities.length +
    question.classes.length +
    question.places.length +
    question.modifiers.length +
    question.types.length +
    question.months.length +
    question.plans.length +
    question.networks.length
  return (
    <form className="card" aria-label="Question" onSubmit={(event) => event.preventDefault()}>
      <MultiSelect
        label="Payers"
        all={payers.map(({ payer, name }) => ({ value: payer, label: name }))}
        chosen={question.payers}
        onChange={(chosen) => change({ payers: chosen })}
      />
      <CodePicker chosen={question.codes} onChange={(codes) => change({ codes })} />
      <MultiSelect
        label="Specialties"
        hint="By words, such as “cardio”, or by taxonomy code"
        all={taxonomyOptions}
        chosen={question.taxonomies}
        onChange={(chosen) => change({ taxonomies: chosen })}
      />
      <MultiSelect
        label="States"
        all={stateOptions}
        chosen={question.states}
        onChange={(chosen) => change({ states: chosen })}
        shownMost={60}
      />
      <details open={narrowed > 0}>
        <summary>More filters{narrowed > 0 && ` (${narrowed})`}</summary>
        <div className="stack">
          <MultiSelect
            label="Month"
            hint="Newest of each payer without it"
            all={months.map((month) => ({ value: month, label: monthText(yearMonthFrom(month)) }))}
            chosen={question.months}
            onChange={(chosen) => change({ months: chosen })}
          />
          <CheckList
            label="Billing class"
            all={same(['professional', 'institutional'])}
            chosen={question.classes}
            onChange={(classes) => change({ classes })}
          />
          <CheckList
            label="Provider kind"
            all={same(['individual', 'group'])}
            chosen={question.entities}
            onChange={(entities) => change({ entities })}
          />
          <CheckList
            label="Kind of rate"
            all={same(['negotiated', 'derived', 'fee schedule', 'percentage', 'per diem'])}
            chosen={question.types}
            onChange={(types) => change({ types })}
          />
          <CheckList
            label="Modifier"
            all={same(['none', '26', 'TC'])}
            chosen={question.modifiers}
            onChange={(modifiers) => change({ modifiers })}
          />
          <MultiSelect
            label="Place of service"
            hint="Taken literally: add CSTM-00 for rates published for all places"
            all={placeOptions}
            chosen={question.places}
            onChange={(places) => change({ places })}
          />
          <TextList
            label="ZIP codes"
            pattern={/^\d{5}$/}
            placeholder="33101"
            chosen={question.zips}
            onChange={(zips) => change({ zips })}
          />
          <TextList
            label="Plan names"
            pattern={/\S/}
            placeholder="PPO"
            chosen={question.plans}
            onChange={(plans) => change({ plans })}
          />
          <TextList
            label="Networks, exactly as reported"
            pattern={/\S/}
            chosen={question.networks}
            onChange={(networks) => change({ networks })}
          />
        </div>
      </details>
    </form>
  )
}

/** Billing codes that the loaded data hold, found by their beginning. */
function CodePicker({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const [text, setText] = useState('')
  const found = useQuery<WebResponse<'codes'>>({
    queryKey: ['codes', text],
    enabled: text.trim().length > 0,
    staleTime: 60_000,
    placeholderData: (before) => before,
    queryFn: ({ signal }) => call('codes', { query: text.trim() }, signal),
  })
  const options = (text.trim() === '' ? [] : (found.data ?? []))
    .map(({ code, type, group }) => ({
      value: `${code}:${type}`,
      label: code,
      note: [type, group].filter(Boolean).join(', '),
    }))
    .filter(({ value }) => !chosen.includes(value))
  return (
    <div className="stack tight">
      <TypeAhead
        label="Billing codes"
        hint="CPT, HCPCS, revenue code, MS-DRG, APR-DRG …"
        placeholder="99213"
        options={options}
        text={text}
        busy={found.isFetching}
        onText={setText}
        onPick={({ value }) => {
          onChange([...chosen, value])
          setText('')
        }}
      />
      <Chips
        label="Billing codes"
        chosen={chosen.map((value) => ({ value, label: value.replace(':', ' ') }))}
        onRemove={(value) => onChange(chosen.filter((one) => one !== value))}
      />
    </div>
  )
}

/** Values that only the user knows, typed one at a time. */
function TextList({
  label,
  pattern,
  placeholder,
  chosen,
  onChange,
}: {
  label: string
  pattern: RegExp
  placeholder?: string
  chosen: string[]
  onChange: (chosen: string[]) => void
}) {
  const [text, setText] = useState('')
  const good = pattern.test(text.trim()) && !chosen.includes(text.trim())
  const value = text.trim()
  return (
    <div className="stack tight">
      <TypeAhead
        label={label}
        {...(placeholder && { placeholder })}
        options={good ? [{ value, label: `Add ${value}` }] : []}
        text={text}
        onText={setText}
        onPick={() => {
          onChange([...chosen, value])
          setText('')
        }}
      />
      <Chips
        label={label}
        chosen={same(chosen)}
        onRemove={(one) => onChange(chosen.filter((other) => other !== one))}
      />
    </div>
  )
}
