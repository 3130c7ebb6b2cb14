import { type FormEvent, type KeyboardEvent, useId } from 'react'
import { Notice } from '../parts/notice.tsx'
import { PayerField } from './payer-field.tsx'
import { QuoteField } from './quote-field.tsx'

/** A field of an entity as a form shows it. */
export interface EditedField {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'date' | 'long' | 'payer' | 'quote'
  readonly choices?: readonly { value: string; label: string }[]
  readonly isRequired?: boolean
}

/** A few fields in place; what was typed goes to the caller, and nothing is saved yet. */
export function FieldForm({
  label,
  fields,
  action,
  problem,
  onDone,
  onCancel,
}: {
  label: string
  fields: readonly EditedField[]
  action: string
  /** What is wrong with what was typed. */
  problem?: string | undefined
  onDone: (values: Readonly<Record<string, string>>) => void
  onCancel: () => void
}) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = [...new FormData(event.currentTarget)].map(([name, value]) => [
      name,
      (value as string).trim(),
    ])
    onDone(Object.fromEntries(values) as Record<string, string>)
  }
  return (
    <form
      className="stack tight"
      aria-label={label}
      onSubmit={submit}
      onKeyDown={(event) => isEscape(event) && onCancel()}
    >
      {fields.map(({ name, label: title, value, type = 'text', choices, isRequired = false }, at) => {
        const common = {
          id: `${id}-${name}`,
          name,
          defaultValue: value,
          required: isRequired,
          // The form opened because somebody asked for it.
          autoFocus: at === 0,
        }
        if (type === 'payer')
          return <PayerField key={name} name={name} label={title} value={value} autoFocus={at === 0} />
        if (type === 'quote') return <QuoteField key={name} name={name} label={title} />
        return (
          <div className="field" key={name}>
            <label htmlFor={common.id}>{title}</label>
            {choices ? (
              <select {...common}>
                {choices.map((choice) => (
                  <option key={choice.value} value={choice.value}>
                    {choice.label}
                  </option>
                ))}
              </select>
            ) : type === 'long' ? (
              <textarea {...common} />
            ) : (
              <input {...common} type={type} />
            )}
          </div>
        )
      })}
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <div className="row">
        <button className="button" type="submit">
          {action}
        </button>
        <button className="button quiet" type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** Escape, unless it only closes a list of matches. */
const isEscape = ({ key, target }: KeyboardEvent) =>
  key === 'Escape' && (target as HTMLElement).getAttribute('aria-expanded') !== 'true'
