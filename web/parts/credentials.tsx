import type { ApiFailure } from '../api.ts'
import { TextField } from './form.tsx'

/** Who somebody is. */
export function EmailField({ failure }: { failure: ApiFailure | undefined }) {
  return (
    <TextField
      label="E-mail address"
      name="email"
      type="email"
      autoComplete="email"
      required
      error={failure?.of('email')}
    />
  )
}

/** A password that somebody makes up now. */
export function NewPasswordField({
  label,
  name = 'password',
  failure,
}: {
  label: string
  name?: string
  failure: ApiFailure | undefined
}) {
  return (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      hint="At least 10 characters"
      required
      error={failure?.of(name)}
    />
  )
}
