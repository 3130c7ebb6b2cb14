import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api.ts'
import { Form, TextField } from '../parts/form.tsx'
import { dayText } from '../parts/format.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import type { Me } from '../session.tsx'

/** Who belongs to the organisation; admins invite, promote and remove. */
export function Members({ me }: { me: Me }) {
  const queries = useQueryClient()
  const isAdmin = me.organization.role === 'admin'
  const members = useQuery({ queryKey: ['members'], queryFn: ({ signal }) => call('members', {}, signal) })
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: 'admin' | 'member' }) =>
      call('changeMember', { id, role }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }),
  })
  const remove = useMutation({
    mutationFn: (id: string) => call('removeMember', { id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }),
  })
  if (members.isPending) return <Busy>Loading members…</Busy>
  if (members.isError) return <FailureNotice failure={members.error} retry={() => void members.refetch()} />
  const failure = change.error ?? remove.error
  return (
    <section className="stack">
      {failure && <FailureNotice failure={failure} />}
      <DataTable
        caption="Members"
        rows={members.data}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'email',
            title: 'Member',
            cell: ({ email, emailVerified }) => (
              <>
                {email} {!emailVerified && <span className="badge warn">not confirmed</span>}
              </>
            ),
            sort: ({ email }) => email,
          },
          { key: 'role', title: 'Role', cell: ({ role }) => role, sort: ({ role }) => role },
          { key: 'since', title: 'Since', cell: ({ since }) => dayText(since), sort: ({ since }) => since },
          {
            key: 'deeds',
            title: 'Actions',
            cell: ({ id, role, email }) =>
              isAdmin && (
                <div className="row">
                  <button
                    type="button"
                    className="button"
                    onClick={() => change.mutate({ id, role: role === 'admin' ? 'member' : 'admin' })}
                  >
                    Make {role === 'admin' ? 'member' : 'admin'}
                  </button>
                  <button
                    type="button"
                    className="button danger"
                    onClick={() => confirm(`Remove ${email}?`) && remove.mutate(id)}
                  >
                    Remove
                  </button>
                </div>
              ),
          },
        ]}
      />
      {isAdmin && <Invitations />}
    </section>
  )
}

function Invitations() {
  const queries = useQueryClient()
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => call('invitations', {}, signal),
  })
  const refresh = () => queries.invalidateQueries({ queryKey: ['invitations'] })
  const revoke = useMutation({
    mutationFn: (id: string) => call('revokeInvitation', { id }),
    onSuccess: refresh,
  })
  return (
    <div className="card">
      <h2>Invite somebody</h2>
      <Form
        action="Send the invitation"
        send={async ({ email = '', role = 'member' }) => {
          await call('invite', { email, role: role === 'admin' ? 'admin' : 'member' })
          await refresh()
        }}
      >
        {(failure) => (
          <div className="inline-fields">
            <TextField
              label="E-mail address"
              name="email"
              type="email"
              required
              error={failure?.of('email')}
            />
            <div className="field">
              <label htmlFor="invited-role">Role</label>
              <select id="invited-role" name="role" defaultValue="member">
                <option value="member">Member</option>
                <option value="admin">Admin</option>
              </select>
            </div>
          </div>
        )}
      </Form>
      {(revoke.error ?? invitations.error) && <FailureNotice failure={revoke.error ?? invitations.error} />}
      {invitations.data && invitations.data.length > 0 && (
        <DataTable
          caption="Open invitations"
          rows={invitations.data}
          rowKey={({ id }) => id}
          columns={[
            { key: 'email', title: 'Invited', cell: ({ email }) => email },
            { key: 'role', title: 'Role', cell: ({ role }) => role },
            { key: 'until', title: 'Works until', cell: ({ expiresAt }) => dayText(expiresAt) },
            {
              key: 'deeds',
              title: 'Actions',
              cell: ({ id }) => (
                <button type="button" className="button danger" onClick={() => revoke.mutate(id)}>
                  Withdraw
                </button>
              ),
            },
          ]}
        />
      )}
    </div>
  )
}
