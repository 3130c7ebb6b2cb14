import { type LoadedPayer, monthsOf } from '../loaded-payers.ts'
import { yearMonthFrom } from '../question.ts'
import { MultiSelect } from './choices.tsx'
import { monthText } from './format.ts'

/** The months that the chosen payers have, all payers where none is chosen; newest first. */
export function MonthChoice({
  label,
  hint,
  loaded,
  draft,
  change,
}: {
  label: string
  hint: string
  loaded: readonly LoadedPayer[]
  draft: { readonly payers: readonly string[]; readonly months: readonly string[] }
  change: (part: { months: string[] }) => void
}) {
  const payers = draft.payers.length > 0 ? draft.payers : loaded.map(({ payer }) => payer)
  return (
    <MultiSelect
      label={label}
      hint={hint}
      all={monthsOf(loaded, payers)
        .reverse()
        .map((month) => ({ value: month, label: monthText(yearMonthFrom(month)) }))}
      chosen={draft.months}
      onChange={(months) => change({ months })}
    />
  )
}
