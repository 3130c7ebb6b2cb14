import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api.ts'
import { CopyButton } from '../parts/copy.tsx'
import { timeText } from '../parts/format.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { DataTable } from '../parts/table.tsx'
import type { Me } from '../session.tsx'

const toolPath = '/api/v1/open/mcp'

/** Tool clients that were let in, and the way to let one in. */
export function Clients({ me }: { me: Me }) {
  const queries = useQueryClient()
  const clients = useQuery({ queryKey: ['clients'], queryFn: ({ signal }) => call('clients', {}, signal) })
  const disconnect = useMutation({
    mutationFn: (id: string) => call('disconnectClient', { id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['clients'] }),
  })
  const address = location.origin + toolPath
  return (
    <section className="stack">
      <div className="card">
        <h2>Connect an assistant</h2>
        <p className="soft">
          Give your AI client this address as a remote MCP server. It sends you here to log in and to allow
          it; after that it asks on the credits of {me.organization.name}.
        </p>
        <pre tabIndex={0} aria-label="Address of the tool server">
          {address}
        </pre>
        <div className="row">
          <CopyButton text={address} label="Copy the address" />
          <Link to="/documentation">The same questions as an API</Link>
        </div>
      </div>
      {disconnect.error && <FailureNotice failure={disconnect.error} />}
      {clients.isPending && <Busy>Loading clients…</Busy>}
      {clients.isError && <FailureNotice failure={clients.error} retry={() => void clients.refetch()} />}
      {clients.isSuccess && (
        <DataTable
          caption="Connected clients"
          rows={clients.data}
          rowKey={({ id }) => id}
          empty="No client is connected."
          columns={[
            {
              key: 'name',
              title: 'Client',
              cell: ({ clientName }) => <strong className="wrap">{clientName}</strong>,
              sort: ({ clientName }) => clientName,
            },
            {
              key: 'email',
              title: 'Let in by',
              cell: ({ email }) => email,
              sort: ({ email }) => email,
            },
            {
              key: 'connected',
              title: 'Connected',
              cell: ({ connectedAt }) => timeText(connectedAt),
              sort: ({ connectedAt }) => connectedAt,
            },
            {
              key: 'used',
              title: 'Last used',
              cell: ({ lastUsedAt }) => timeText(lastUsedAt),
              sort: ({ lastUsedAt }) => lastUsedAt,
            },
            {
              key: 'deeds',
              title: 'Actions',
              cell: ({ id, clientName }) => (
                <button
                  type="button"
                  className="button danger"
                  disabled={disconnect.isPending}
                  onClick={() => {
                    if (
                      confirm(`Disconnect ${clientName}? It can ask nothing more until it is let in again.`)
                    )
                      disconnect.mutate(id)
                  }}
                >
                  Disconnect
                </button>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}
