import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api.ts'
import { CopyButton } from '../parts/copy.tsx'
import { EmailField, NewPasswordField } from '../parts/credentials.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { freeCalls, useOffer } from '../offer.ts'
import { useEnter } from '../session.tsx'

/** Makes an account and shows its first key, once. */
export function SignUp() {
  const enter = useEnter()
  const [apiKey, setApiKey] = useState<string>()
  const offer = useOffer()
  if (apiKey) return <FirstKey apiKey={apiKey} />
  if (offer?.isOpen === false)
    return (
      <section className="card narrow">
        <h1>Sign up</h1>
        <Notice title="Sign-up is closed on this server">
          Ask its operator for an account, or a colleague for an invitation. <Link to="/log-in">Log in</Link>
        </Notice>
      </section>
    )
  return (
    <section className="card narrow">
      <h1>Sign up</h1>
      <p className="soft">
        {offer?.credits
          ? `${freeCalls(offer.credits)} to begin with. No card, no waiting.`
          : 'No card, no waiting.'}
      </p>
      <Form
        action="Make my account"
        more={<Link to="/log-in">I have an account</Link>}
        send={async ({ email = '', password = '', organization = '' }) => {
          const made = await call('signUp', { email, password, organization })
          await enter()
          setApiKey(made.apiKey)
        }}
      >
        {(failure) => (
          <>
            <EmailField failure={failure} />
            <TextField
              label="Organisation"
              name="organization"
              autoComplete="organization"
              required
              error={failure?.of('organization')}
            />
            <NewPasswordField label="Password" failure={failure} />
          </>
        )}
      </Form>
    </section>
  )
}

function FirstKey({ apiKey }: { apiKey: string }) {
  return (
    <section className="card narrow">
      <h1>Your API key</h1>
      <Notice kind="warn" title="This key is shown this once">
        Keep it like a password. You can make others, and end them, under Account.
      </Notice>
      <pre tabIndex={0} aria-label="API key">
        {apiKey}
      </pre>
      <div className="row between">
        <CopyButton text={apiKey} label="Copy the key" />
        <div className="row">
          <Link to="/documentation">Call the API</Link>
          <Link className="button primary" to="/explore">
            Explore prices
          </Link>
        </div>
      </div>
    </section>
  )
}
