import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../api.ts'
import { EmailField, NewPasswordField } from '../parts/credentials.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'

/** Asks for a reset link. The answer is the same for every address. */
export function AskReset() {
  const [asked, setAsked] = useState(false)
  return (
    <section className="card narrow">
      <h1>Reset your password</h1>
      {asked ? (
        <Notice title="Look into your mail">
          If the address has an account, a link is on its way. It works for one hour.
        </Notice>
      ) : (
        <Form
          action="Send me a link"
          more={<Link to="/log-in">Back to log-in</Link>}
          send={async ({ email = '' }) => {
            await call('askReset', { email })
            setAsked(true)
          }}
        >
          {(failure) => <EmailField failure={failure} />}
        </Form>
      )}
    </section>
  )
}

/** Sets a new password through the link. */
export function ResetPassword() {
  const [query] = useSearchParams()
  const [done, setDone] = useState(false)
  return (
    <section className="card narrow">
      <h1>Set a new password</h1>
      {done ? (
        <Notice title="Your password is set">
          <Link to="/log-in">Log in</Link>
        </Notice>
      ) : (
        <Form
          action="Set the password"
          send={async ({ password = '' }) => {
            await call('resetPassword', { token: query.get('token') ?? '', password })
            setDone(true)
          }}
        >
          {(failure) => <NewPasswordField label="New password" failure={failure} />}
        </Form>
      )}
    </section>
  )
}
