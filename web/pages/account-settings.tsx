import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api.ts'
import { NewPasswordField } from '../parts/credentials.tsx'
import { Form, SelectField, TextField } from '../parts/form.tsx'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import { type Me, useEnter } from '../session.tsx'

/** The organisation's name, the user's address and password. */
export function Settings({ me }: { me: Me }) {
  const queries = useQueryClient()
  const enter = useEnter()
  const [changed, setChanged] = useState(false)
  const verify = useMutation({ mutationFn: () => call('sendVerification', {}) })
  const turn = useMutation({
    mutationFn: (organizationId: string) => call('switchOrganization', { organizationId }),
    onSuccess: () => enter(),
  })
  return (
    <div className="stack">
      {!me.user.emailVerified && (
        <Notice kind="warn" title="Your address is not confirmed">
          <div className="row">
            <span>{me.user.email}</span>
            <button
              type="button"
              className="button"
              disabled={verify.isPending || verify.isSuccess}
              onClick={() => verify.mutate()}
            >
              {verify.isSuccess ? 'Sent' : 'Send the link again'}
            </button>
          </div>
          {verify.error && <FailureNotice failure={verify.error} />}
        </Notice>
      )}
      {me.organizations.length > 1 && (
        <section className="card">
          <h2>Organisation you look at</h2>
          <SelectField
            label="Organisation"
            value={me.organization.id}
            onChange={(id) => turn.mutate(id)}
            options={me.organizations.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </section>
      )}
      {me.organization.role === 'admin' && (
        <section className="card">
          <h2>Organisation</h2>
          <Form
            action="Rename"
            send={async ({ name = '' }) => {
              await call('renameOrganization', { name })
              await queries.invalidateQueries({ queryKey: ['me'] })
            }}
          >
            {(failure) => (
              <TextField
                label="Name"
                name="name"
                defaultValue={me.organization.name}
                required
                error={failure?.of('name')}
              />
            )}
          </Form>
        </section>
      )}
      <section className="card">
        <h2>Password</h2>
        {changed && <Notice title="Your password is changed">Other sessions have ended.</Notice>}
        <Form
          action="Change the password"
          send={async ({ currentPassword = '', newPassword = '' }) => {
            await call('changePassword', { currentPassword, newPassword })
            setChanged(true)
          }}
        >
          {(failure) => (
            <>
              <TextField
                label="Present password"
                name="currentPassword"
                type="password"
                autoComplete="current-password"
                required
                error={failure?.of('currentPassword')}
              />
              <NewPasswordField label="New password" name="newPassword" failure={failure} />
            </>
          )}
        </Form>
      </section>
    </div>
  )
}
