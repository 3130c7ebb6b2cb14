import type { FormEvent } from 'react'
import { serviceCodeName, serviceCodes, states } from '../../src/vocabulary/enums.ts'
import { taxonomies } from '../../src/vocabulary/taxonomy.ts'
import { CheckList, MultiSelect, TextList } from '../parts/choices.tsx'
import { CodePicker } from '../parts/code-picker.tsx'
import { MonthChoice } from '../parts/month-choice.tsx'
import type { Option } from '../parts/type-ahead.tsx'
import type { LoadedPayer } from '../loaded-payers.ts'
import type { Question } from '../question.ts'
import { stateNames } from '../states.ts'

const same = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))
const stateOptions = states.map((state) => ({
  value: state,
  label: stateNames[state] ?? state,
  note: state,
  chip: state,
}))
const taxonomyOptions = taxonomies.map(({ code, name }) => ({ value: code, label: name, note: code }))
const placeOptions = serviceCodes.map((code) => ({ value: code, label: `${code} ${serviceCodeName(code)}` }))

/** Who, what, where; the rest folded away with good defaults. The question is asked when it is sent. */
export function ExploreForm({
  draft,
  change,
  payers,
  send,
  changed,
  wanted,
}: {
  draft: Question
  change: (part: Partial<Question>) => void
  payers: readonly LoadedPayer[]
  send: () => void
  /** The draft differs from the answer beside it. */
  changed: boolean
  /** What is missing, once somebody tried to send it. */
  wanted: readonly string[]
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form className="card" aria-label="Question" onSubmit={submit} noValidate>
      <MultiSelect
        label="Payers"
        all={payers.map(({ payer, name }) => ({ value: payer, label: name }))}
        chosen={draft.payers}
        onChange={(chosen) => change({ payers: chosen })}
        shownMost={100}
      />
      <CodePicker chosen={draft.codes} onChange={(codes) => change({ codes })} />
      <MarketFields draft={draft} change={change} />
      <MoreFilters draft={draft} change={change} payers={payers} />
      <div className="send">
        <button type="submit" className="button primary">
          Show prices
        </button>
        <span className="hint" role="status">
          {wanted.length > 0 ? (
            <span className="error">Choose {wanted.join(', ')} first.</span>
          ) : changed ? (
            'The question has changed. A new answer takes one credit.'
          ) : (
            'A new answer takes one credit; going back to one does not.'
          )}
        </span>
      </div>
    </form>
  )
}

/** Where, and which specialties. */
export function MarketFields({
  draft,
  change,
}: {
  draft: Question
  change: (part: Partial<Question>) => void
}) {
  return (
    <>
      <MultiSelect
        label="Specialties"
        hint="By words, such as “cardio”, or by taxonomy code"
        all={taxonomyOptions}
        chosen={draft.taxonomies}
        onChange={(chosen) => change({ taxonomies: chosen })}
      />
      <MultiSelect
        label="States"
        all={stateOptions}
        chosen={draft.states}
        onChange={(chosen) => change({ states: chosen })}
        shownMost={60}
      />
      <TextList
        label="ZIP codes"
        hint="Optional: narrows the states"
        pattern={/^\d{5}$/}
        placeholder="33101"
        chosen={draft.zips}
        onChange={(zips) => change({ zips })}
      />
    </>
  )
}

/** What narrows a question further, folded away while it is not used. */
export function MoreFilters({
  draft,
  change,
  payers,
  without,
}: {
  draft: Question
  change: (part: Partial<Question>) => void
  payers: readonly LoadedPayer[]
  /** Left out where the form asks for it elsewhere. */
  without?: 'month'
}) {
  const { entities, classes, places, modifiers, types, plans, networks } = draft
  const narrowed = [
    entities,
    classes,
    places,
    modifiers,
    types,
    plans,
    networks,
    without ? [] : draft.months,
  ].filter((values) => values.length > 0).length
  return (
    <details open={narrowed > 0}>
      <summary>More filters{narrowed > 0 && ` (${narrowed})`}</summary>
      <div className="stack">
        {without !== 'month' && (
          <MonthChoice
            label="Month"
            hint="Newest of each payer without it; several are compared"
            loaded={payers}
            {...{ draft, change }}
          />
        )}
        <CheckList
          label="Billing class"
          all={same(['professional', 'institutional'])}
          chosen={classes}
          onChange={(chosen) => change({ classes: chosen })}
        />
        <CheckList
          label="Provider kind"
          all={same(['individual', 'group'])}
          chosen={entities}
          onChange={(chosen) => change({ entities: chosen })}
        />
        <CheckList
          label="Kind of rate"
          all={same(['negotiated', 'derived', 'fee schedule', 'percentage', 'per diem'])}
          chosen={types}
          onChange={(chosen) => change({ types: chosen })}
        />
        <CheckList
          label="Modifier"
          all={same(['none', '26', 'TC'])}
          chosen={modifiers}
          onChange={(chosen) => change({ modifiers: chosen })}
        />
        <MultiSelect
          label="Place of service"
          hint="Taken literally: add CSTM-00 for rates published for all places"
          all={placeOptions}
          chosen={places}
          onChange={(chosen) => change({ places: chosen })}
        />
        <TextList
          label="Plan names"
          pattern={/\S/}
          placeholder="PPO"
          chosen={plans}
          onChange={(chosen) => change({ plans: chosen })}
        />
        <TextList
          label="Networks"
          hint="Exactly as the payer reports them"
          pattern={/\S/}
          chosen={networks}
          onChange={(chosen) => change({ networks: chosen })}
        />
      </div>
    </details>
  )
}
