import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { countText } from './format.ts'

export interface Option {
  readonly value: string
  readonly label: string
  /** A quiet word beside the label: a code, a state. */
  readonly note?: string
  /** What a chosen one shows, where the label is long. */
  readonly chip?: string
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
  onBackspace,
  busy = false,
  autoFocus = false,
  inline = false,
}: {
  label: string
  hint?: string
  placeholder?: string
  /** What matches the text now. */
  options: readonly Option[]
  text: string
  onText: (text: string) => void
  onPick: (option: Option) => void
  /** Backspace in the empty field. */
  onBackspace?: () => void
  busy?: boolean
  autoFocus?: boolean
  /** The matches stand below the field and stay there, instead of covering what follows. */
  inline?: boolean
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useState(false)
  // Nothing is marked before something was typed: Enter then sends the form.
  const [at, setAt] = useState(-1)
  const active = Math.min(text.trim() === '' ? at : Math.max(0, at), options.length - 1)
  const shown = (open || inline) && options.length > 0

  useEffect(() => {
    if (shown) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [shown, active])

  const pick = (option: Option) => {
    onPick(option)
    setAt(-1)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const next = active + (event.key === 'ArrowDown' ? 1 : -1)
      setAt(next < 0 ? options.length - 1 : next % Math.max(1, options.length))
    } else if (event.key === 'Enter' && shown && active >= 0) {
      event.preventDefault()
      pick(options[active]!)
    } else if (event.key === 'Escape') setOpen(false)
    else if (event.key === 'Backspace' && text === '') onBackspace?.()
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
          aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
          aria-describedby={hint ? `${id}-hint` : undefined}
          aria-busy={busy}
          autoComplete="off"
          autoFocus={autoFocus}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            onText(event.target.value)
            setOpen(true)
            setAt(-1)
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <ul
          ref={list}
          className={inline ? 'options inline' : 'options'}
          id={`${id}-options`}
          role="listbox"
          aria-label={`${label}: matches`}
          hidden={!shown}
        >
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
        <span className="visually-hidden" role="status">
          {shown && text !== '' ? `${countText(options.length)} matches` : ''}
        </span>
      </div>
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}
