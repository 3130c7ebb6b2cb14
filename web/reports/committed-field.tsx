import { type InputHTMLAttributes, useState } from 'react'
import { TextField } from '../parts/form.tsx'

/** A field that is typed freely and taken when it is left: one step to undo, not one for each letter. */
export function CommittedField({
  label,
  hint,
  text,
  onCommit,
  ...input
}: {
  label: string
  hint?: string
  text: string
  onCommit: (text: string) => void
} & InputHTMLAttributes<HTMLInputElement>) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextField
      label={label}
      {...(hint && { hint })}
      {...input}
      value={typed ?? text}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== undefined && typed !== text) onCommit(typed)
        setTyped(undefined)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(undefined)
      }}
    />
  )
}
