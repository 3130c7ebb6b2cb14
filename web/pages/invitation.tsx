import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { call } from '../api.ts'
import { NewPasswordField } from '../parts/credentials.tsx'
import { Form } from '../parts/form.tsx'
import { Busy, Notice } from '../parts/notice.tsx'
import { useEnter, useMe } from '../session.tsx'

/** Joins an organisation: at one's log-in, or by choosing a password. */
export function Invitation() {
  const me = useMe()
  const enter = useEnter()
  const navigate = useNavigate()
  const place = useLocation()
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  if (me.isPending) return <Busy>Loading…</Busy>
  return (
    <section className="card narrow">
      <h1>Join on Ratebook</h1>
      {!me.data && (
        <Notice>
          You have an account already?{' '}
          <Link to={`/log-in?next=${encodeURIComponent(place.pathname + place.search)}`}>Log in first</Link>.
        </Notice>
      )}
      <Form
        action="Join"
        send={async ({ password }) => {
          await call('acceptInvitation', { token, ...(password && { password }) })
          await enter()
          await navigate('/account', { replace: true })
        }}
      >
        {(failure) =>
          me.data ? (
            <p>
              You join as <strong>{me.data.user.email}</strong>.
            </p>
          ) : (
            <NewPasswordField label="Choose a password" failure={failure} />
          )
        }
      </Form>
    </section>
  )
}
