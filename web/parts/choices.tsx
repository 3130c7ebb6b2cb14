import { useState } from 'react'
import { countText } from './format.ts'
import { type Option, TypeAhead } from './type-ahead.tsx'

const chipsShown = 8

/** What was chosen, each with a way to take it back; long lists folded. */
export function Chips({
  label,
  chosen,
  onChange,
}: {
  label: string
  chosen: readonly Option[]
  onChange: (left: string[]) => void
}) {
  const [all, setAll] = useState(false)
  if (chosen.length === 0) return null
  const shown = all ? chosen : chosen.slice(0, chipsShown)
  const values = chosen.map(({ value }) => value)
  return (
    <div className="choices" role="group" aria-label={`${label}: chosen`}>
      {shown.map(({ value, label: name, chip = name }) => (
        <span key={value} className="chip" title={name}>
          <span>{chip}</span>
          <button
            type="button"
            onClick={() => onChange(values.filter((one) => one !== value))}
            aria-label={`Remove ${name}`}
          >
            ×
          </button>
        </span>
      ))}
      {chosen.length > chipsShown && (
        <button type="button" className="link" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'show fewer' : `and ${countText(chosen.length - chipsShown)} more`}
        </button>
      )}
      {chosen.length > 2 && (
        <button
          type="button"
          className="link"
          onClick={() => onChange([])}
          aria-label={`Clear ${label.toLowerCase()}`}
        >
          clear
        </button>
      )}
    </div>
  )
}

const everything = '*'

/** Several values out of a list that is already here. */
export function MultiSelect({
  label,
  hint,
  all,
  chosen,
  onChange,
  placeholder = 'Type to search',
  shownMost = 40,
}: {
  label: string
  hint?: string
  all: readonly Option[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  placeholder?: string
  shownMost?: number
}) {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const taken = new Set(chosen)
  const matching = all.filter(({ value, label: name, note = '' }) => {
    const hay = `${name} ${value} ${note}`.toLowerCase()
    return !taken.has(value) && words.every((word) => hay.includes(word))
  })
  // A whole family at once: every specialty with these words, every state.
  const together =
    matching.length > 1 && matching.length <= 60
      ? [
          {
            value: everything,
            label:
              text.trim() === ''
                ? `All ${countText(matching.length)}`
                : `All ${countText(matching.length)} with “${text.trim()}”`,
          },
        ]
      : []
  return (
    <div className="stack tight">
      <TypeAhead
        label={label}
        {...(hint && chosen.length === 0 && { hint })}
        placeholder={placeholder}
        options={[...together, ...matching.slice(0, shownMost)]}
        text={text}
        onText={setText}
        onBackspace={() => onChange(chosen.slice(0, -1))}
        onPick={({ value }) => {
          onChange([...chosen, ...(value === everything ? matching.map((one) => one.value) : [value])])
          setText('')
        }}
      />
      <Chips
        label={label}
        chosen={chosen.map(
          (value) => all.find((option) => option.value === value) ?? { value, label: value },
        )}
        onChange={onChange}
      />
    </div>
  )
}

/** Values that only the user knows, typed one at a time. */
export function TextList({
  label,
  hint,
  pattern,
  placeholder,
  chosen,
  onChange,
}: {
  label: string
  hint?: string
  pattern: RegExp
  placeholder?: string
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const [text, setText] = useState('')
  const value = text.trim()
  const good = pattern.test(value) && !chosen.includes(value)
  return (
    <div className="stack tight">
      <TypeAhead
        label={label}
        {...(hint && chosen.length === 0 && { hint })}
        {...(placeholder && { placeholder })}
        options={good ? [{ value, label: `Add ${value}` }] : []}
        text={text}
        onText={setText}
        onBackspace={() => onChange(chosen.slice(0, -1))}
        onPick={() => {
          onChange([...chosen, value])
          setText('')
        }}
      />
      <Chips label={label} chosen={chosen.map((one) => ({ value: one, label: one }))} onChange={onChange} />
    </div>
  )
}

/** A few choices, each a box to tick. */
export function CheckList({
  label,
  all,
  chosen,
  onChange,
}: {
  label: string
  all: readonly Option[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  return (
    <fieldset>
      <legend>{label}</legend>
      <div className="row">
        {all.map(({ value, label: name }) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
