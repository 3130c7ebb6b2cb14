import { type FormEvent, useId } from 'react'

/** A field of an entity as a form shows it. */
export interface EditedField {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'date' | 'long'
  readonly choices?: readonly { value: string; label: string }[]
  readonly isRequired?: boolean
}

/** A few fields in place; what was typed goes to the caller, and nothing is saved yet. */
export function FieldForm({
  label,
  fields,
  action,
  onDone,
  onCancel,
}: {
  label: string
  fields: readonly EditedField[]
  action: string
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
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
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
