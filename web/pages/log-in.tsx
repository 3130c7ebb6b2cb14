import { Link, useNavigate, useSearchParams } from 'react-router'
import { call } from '../api.ts'
import { EmailField } from '../parts/credentials.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { useEnter } from '../session.tsx'

/** Only a path of ours: an address from elsewhere must not ride along a log-in. */
const safePath = (text: string | null) => (text !== null && /^\/(?![/\\])/.test(text) ? text : '/explore')

export function LogIn() {
  const enter = useEnter()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  return (
    <section className="card narrow">
      <h1>Log in</h1>
      <Form
        action="Log in"
        more={<Link to="/forgot-password">I forgot my password</Link>}
        send={async ({ email = '', password = '' }) => {
          await call('logIn', { email, password })
          await enter()
          await navigate(safePath(query.get('next')), { replace: true })
        }}
      >
        {(failure) => (
          <>
            <EmailField failure={failure} />
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              error={failure?.of('password')}
            />
          </>
        )}
      </Form>
      <p className="soft small">
        New here? <Link to="/sign-up">Sign up</Link>
      </p>
    </section>
  )
}
