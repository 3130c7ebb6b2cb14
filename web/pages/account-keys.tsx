import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { ApiKeyView } from '../../src/operations/account.ts'
import { operationGroups } from '../../src/operations/operation.ts'
import { call } from '../api.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { dayText, timeText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import type { Me } from '../session.tsx'

type Key = z.infer<typeof ApiKeyView>

/** The organisation's keys: make, restrict, rotate, end. */
export function Keys({ me }: { me: Me }) {
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => call('keys', {}, signal) })
  const [made, setMade] = useState<{ apiKey: string; name: string }>()
  const [all, setAll] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  if (keys.isPending) return <Busy>Loading keys…</Busy>
  if (keys.isError) return <FailureNotice failure={keys.error} retry={() => void keys.refetch()} />
  const live = keys.data.filter((key) => all || stateOf(key) === 'active')
  return (
    <section className="stack">
      <div className="row between">
        <label className="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> Show
          ended keys
        </label>
        <button type="button" className="button primary" onClick={() => dialog.current?.showModal()}>
          Make a key
        </button>
      </div>
      {made && <NewKeyNotice {...made} close={() => setMade(undefined)} />}
      <DataTable
        caption="API keys"
        rows={live}
        rowKey={({ id }) => id}
        empty="No key is active. Make one to call the API."
        columns={[
          { key: 'name', title: 'Name', cell: (key) => <strong>{key.name}</strong>, sort: (key) => key.name },
          { key: 'prefix', title: 'Begins with', cell: (key) => <code>{key.prefix}…</code> },
          {
            key: 'may',
            title: 'May',
            prose: true,
            cell: (key) =>
              key.groups === null && key.tools === null
                ? 'everything'
                : [...(key.groups ?? ['all endpoints']), ...(key.tools ?? [])].join(', '),
          },
          {
            key: 'created',
            title: 'Made',
            cell: (key) => dayText(key.createdAt),
            sort: (key) => key.createdAt,
          },
          {
            key: 'used',
            title: 'Last used',
            cell: (key) => timeText(key.lastUsedAt),
            sort: (key) => key.lastUsedAt,
          },
          { key: 'state', title: 'State', cell: (key) => <KeyState apiKey={key} /> },
          {
            key: 'deeds',
            title: 'Actions',
            cell: (key) => <KeyDeeds apiKey={key} me={me} onMade={setMade} />,
          },
        ]}
      />
      <dialog ref={dialog} aria-labelledby="new-key-title">
        <NewKeyForm
          onMade={(key) => {
            setMade(key)
            dialog.current?.close()
          }}
          close={() => dialog.current?.close()}
        />
      </dialog>
    </section>
  )
}

function stateOf(key: Key): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= Date.now() ? 'expired' : 'active'
}

function KeyState({ apiKey }: { apiKey: Key }) {
  const state = stateOf(apiKey)
  if (state !== 'active') return <span className="badge bad">{state}</span>
  if (apiKey.replacedBy) return <span className="badge warn">rotated, ends {timeText(apiKey.expiresAt)}</span>
  return (
    <span className="badge good">
      {apiKey.expiresAt ? `active until ${dayText(apiKey.expiresAt)}` : 'active'}
    </span>
  )
}

function KeyDeeds({
  apiKey,
  me,
  onMade,
}: {
  apiKey: Key
  me: Me
  onMade: (made: { apiKey: string; name: string }) => void
}) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const rotate = useMutation({
    mutationFn: () => call('rotateKey', { id: apiKey.id, overlapHours: 24 }),
    onSuccess: (made) => {
      onMade({ apiKey: made.apiKey, name: made.key.name })
      return refresh()
    },
  })
  const revoke = useMutation({ mutationFn: () => call('revokeKey', { id: apiKey.id }), onSuccess: refresh })
  const mine = me.organization.role === 'admin' || apiKey.createdBy === me.user.id
  if (!mine || stateOf(apiKey) !== 'active') return null
  const failure = rotate.error ?? revoke.error
  return (
    <div className="row">
      {!apiKey.replacedBy && (
        <button
          type="button"
          className="button"
          disabled={rotate.isPending}
          onClick={() => rotate.mutate()}
          title="Make a successor; this key works for another 24 hours"
        >
          Rotate
        </button>
      )}
      <button
        type="button"
        className="button danger"
        disabled={revoke.isPending}
        onClick={() => {
          if (
            confirm(
              `End the key "${apiKey.name}" (${apiKey.prefix}…) now? Clients that use it get 401 at once.`,
            )
          )
            revoke.mutate()
        }}
      >
        Revoke
      </button>
      {failure && <FailureNotice failure={failure} />}
    </div>
  )
}

function NewKeyNotice({ apiKey, name, close }: { apiKey: string; name: string; close: () => void }) {
  return (
    <Notice kind="warn" title={`The key "${name}" is shown this once`}>
      <div className="stack tight">
        <pre tabIndex={0} aria-label="API key">
          {apiKey}
        </pre>
        <div className="row">
          <CopyButton text={apiKey} label="Copy the key" />
          <button type="button" className="button" onClick={close}>
            I have kept it
          </button>
        </div>
      </div>
    </Notice>
  )
}

function NewKeyForm({
  onMade,
  close,
}: {
  onMade: (made: { apiKey: string; name: string }) => void
  close: () => void
}) {
  const queries = useQueryClient()
  const [groups, setGroups] = useState<readonly string[]>(operationGroups)
  return (
    <div className="stack">
      <h2 id="new-key-title">Make a key</h2>
      <Form
        action="Make the key"
        more={
          <button type="button" className="button quiet" onClick={close}>
            Cancel
          </button>
        }
        send={async ({ name = '', expires = '' }) => {
          const chosen = operationGroups.filter((group) => groups.includes(group))
          const made = await call('createKey', {
            name,
            groups: chosen.length === operationGroups.length ? null : chosen,
            expiresAt: expires ? Date.parse(`${expires}T00:00:00`) : null,
          })
          await queries.invalidateQueries({ queryKey: ['keys'] })
          onMade({ apiKey: made.apiKey, name: made.key.name })
        }}
      >
        {(failure) => (
          <>
            <TextField
              label="Name"
              name="name"
              hint="What it is for, such as the program that uses it"
              required
              error={failure?.of('name')}
            />
            <fieldset>
              <legend>It may call</legend>
              {operationGroups.map((group) => (
                <label key={group} className="check">
                  <input
                    type="checkbox"
                    checked={groups.includes(group)}
                    onChange={(event) =>
                      setGroups(
                        event.target.checked ? [...groups, group] : groups.filter((one) => one !== group),
                      )
                    }
                  />
                  {group} endpoints
                </label>
              ))}
              {failure?.of('groups') && <span className="error">{failure.of('groups')}</span>}
            </fieldset>
            <TextField
              label="Ends on"
              name="expires"
              type="date"
              hint="Leave empty for a key without an end"
              error={failure?.of('expiresAt')}
            />
          </>
        )}
      </Form>
    </div>
  )
}
