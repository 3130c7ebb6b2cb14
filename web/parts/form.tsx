import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { ApiFailure } from '../api.ts'
import { FailureNotice } from './notice.tsx'

/** A labelled input with its hint and its error. */
export function TextField({
  label,
  hint,
  error,
  ...input
}: { label: string; hint?: string; error?: string | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        {...input}
      />
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  )
}

/** A choice out of a short list. */
export function SelectField({
  label,
  value,
  onChange,
  options,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A form that sends once at a time and shows what the server says. */
export function Form({
  send,
  action,
  children,
  more,
}: {
  send: (values: Record<string, string>) => Promise<void>
  action: string
  children: (failure: ApiFailure | undefined) => ReactNode
  more?: ReactNode
}) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const known = failure instanceof ApiFailure ? failure : undefined

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, value as string]),
    )
    setBusy(true)
    setFailure(undefined)
    try {
      await send(values)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
      {children(known)}
      {failure !== undefined && !(known && known.problems.length > 0) && <FailureNotice failure={failure} />}
      <div className="row between">
        <button className="button primary" type="submit" disabled={busy}>
          {busy ? 'One moment…' : action}
        </button>
        {more}
      </div>
    </form>
  )
}
