import type { FormEvent } from 'react'
import type { LoadedPayer } from '../loaded-payers.ts'
import { MultiSelect } from '../parts/choices.tsx'
import { CodePicker } from '../parts/code-picker.tsx'
import { MonthChoice } from '../parts/month-choice.tsx'
import { MarketFields, MoreFilters } from '../pages/explore-form.tsx'
import { ProviderPicker } from './provider-picker.tsx'
import type { ReportDraft } from './report-question.ts'

/** What a report is about: a market or named providers, payers, codes, months. */
export function ReportForm({
  draft,
  change,
  payers,
  wanted,
  send,
}: {
  draft: ReportDraft
  change: (part: Partial<ReportDraft>) => void
  payers: readonly LoadedPayer[]
  /** What is missing, once somebody tried to go on. */
  wanted: readonly string[]
  send: () => void
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form className="card" aria-label="What it is about" onSubmit={submit} noValidate>
      <fieldset>
        <legend>About</legend>
        <div className="row">
          <Kind draft={draft} kind="market" change={change}>
            A market: states and specialties
          </Kind>
          <Kind draft={draft} kind="providers" change={change}>
            Named providers
          </Kind>
        </div>
      </fieldset>
      <div className="figures">
        <MultiSelect
          label="Payers"
          all={payers.map(({ payer, name }) => ({ value: payer, label: name }))}
          chosen={draft.payers}
          onChange={(chosen) => change({ payers: chosen })}
          shownMost={100}
        />
        <CodePicker chosen={draft.codes} onChange={(codes) => change({ codes })} />
        {draft.kind === 'market' ? (
          <MarketFields draft={draft} change={change} />
        ) : (
          <ProviderPicker chosen={draft.providers} onChange={(providers) => change({ providers })} />
        )}
        <MonthChoice
          label="Months"
          hint="Newest of each payer without it; two or more show what changed"
          loaded={payers}
          {...{ draft, change }}
        />
      </div>
      <MoreFilters draft={draft} change={change} payers={payers} without="month" />
      <div className="row">
        <button type="submit" className="button primary">
          See its size
        </button>
        <span className="soft small" role="status">
          {wanted.length > 0 ? (
            <span className="error">Choose {wanted.join(', ')} first.</span>
          ) : (
            'Counting is free.'
          )}
        </span>
      </div>
    </form>
  )
}

function Kind({
  draft,
  kind,
  change,
  children,
}: {
  draft: ReportDraft
  kind: ReportDraft['kind']
  change: (part: Partial<ReportDraft>) => void
  children: string
}) {
  return (
    <label className="check">
      <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => change({ kind })} />
      {children}
    </label>
  )
}
