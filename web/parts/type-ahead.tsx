import { type KeyboardEvent, useId, useRef, useState } from 'react'

export interface Option {
  readonly value: string
  readonly label: string
  /** A quiet word beside the label: a code, a state. */
  readonly note?: string
}

/** A field that offers matches while one types: arrows move, Enter takes, Escape closes. */
export function TypeAhead({
  label,
  hint,
  placeholder,
  options,
  text,
  onText,
  onPick,
  busy = false,
  error,
}: {
  label: string
  hint?: string
  placeholder?: string
  /** What matches the text now. */
  options: readonly Option[]
  text: string
  onText: (text: string) => void
  onPick: (option: Option) => void
  busy?: boolean
  error?: string | undefined
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const active = Math.min(at, options.length - 1)
  const shown = open && options.length > 0

  const pick = (option: Option) => {
    onPick(option)
    setAt(0)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setAt((active + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % Math.max(1, options.length))
    } else if (event.key === 'Enter' && shown) {
      event.preventDefault()
      pick(options[active]!)
    } else if (event.key === 'Escape') setOpen(false)
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="type-ahead">
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-expanded={shown}
          aria-controls={`${id}-options`}
          aria-autocomplete="list"
          aria-activedescendant={shown ? `${id}-${active}` : undefined}
          aria-describedby={hint ? `${id}-hint` : undefined}
          aria-invalid={error ? true : undefined}
          aria-busy={busy}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            onText(event.target.value)
            setOpen(true)
            setAt(0)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <ul className="options" id={`${id}-options`} role="listbox" aria-label={label} hidden={!shown}>
          {options.map((option, index) => (
            <li
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // Before blur closes the list.
              onMouseDown={(event) => {
                event.preventDefault()
                pick(option)
              }}
              onMouseEnter={() => setAt(index)}
            >
              <span>{option.label}</span>
              {option.note && <small>{option.note}</small>}
            </li>
          ))}
        </ul>
      </div>
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && <span className="error">{error}</span>}
    </div>
  )
}

/** What was chosen, each with a way to take it back. */
export function Chips({
  label,
  chosen,
  onRemove,
}: {
  label: string
  chosen: readonly Option[]
  onRemove: (value: string) => void
}) {
  if (chosen.length === 0) return null
  return (
    <div className="choices" role="group" aria-label={`${label}: chosen`}>
      {chosen.map(({ value, label: name }) => (
        <span key={value} className="chip" title={name}>
          <span>{name}</span>
          <button type="button" onClick={() => onRemove(value)} aria-label={`Remove ${name}`}>
            ×
          </button>
        </span>
      ))}
    </div>
  )
}

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
  const options = all
    .filter(({ value, label: name, note = '' }) => {
      const hay = `${name} ${value} ${note}`.toLowerCase()
      return !chosen.includes(value) && words.every((word) => hay.includes(word))
    })
    .slice(0, shownMost)
  const names = chosen.map((value) => all.find((option) => option.value === value) ?? { value, label: value })
  return (
    <div className="stack tight">
      <TypeAhead
        label={label}
        {...(hint && { hint })}
        placeholder={placeholder}
        options={options}
        text={text}
        onText={setText}
        onPick={({ value }) => {
          onChange([...chosen, value])
          setText('')
        }}
      />
      <Chips
        label={label}
        chosen={names}
        onRemove={(value) => onChange(chosen.filter((one) => one !== value))}
      />
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
