import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { Contract as ContractRecord } from '../../src/operations/contracts.ts'
import { askContract } from '../api.ts'
import { ContractBadge, isUnderWay } from '../contracts/contract-badge.tsx'
import { DeleteContract } from '../contracts/delete-contract.tsx'
import { History, useRevision } from '../contracts/history.tsx'
import { ReadingView } from '../contracts/reading-view.tsx'
import { bytesText, manyText, timeText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice, RecordFailure } from '../parts/notice.tsx'
import { SignedIn } from '../session.tsx'

const watchMs = 1_000

/** One contract: its document beside its entities, and its history. */
export function Contract() {
  const { id = '' } = useParams()
  return (
    <SignedIn>
      {({ organization }) => <Loaded key={id} id={id} mayEdit={organization.role === 'admin'} />}
    </SignedIn>
  )
}

function Loaded({ id, mayEdit }: { id: string; mayEdit: boolean }) {
  const record = useQuery({
    queryKey: ['contract', id, 'record'],
    queryFn: ({ signal }) => askContract('readContract', { id }, signal),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? watchMs : false),
  })
  const navigate = useNavigate()
  const name = record.data?.name
  useEffect(() => {
    if (name) document.title = `${name} – Ratebook`
  }, [name])
  if (record.isPending) return <Busy>Opening the contract…</Busy>
  if (record.isError)
    return (
      <RecordFailure
        what="contract"
        all="/contracts"
        failure={record.error}
        retry={() => void record.refetch()}
      />
    )
  const contract = record.data
  return (
    <>
      <div className="stack tight">
        <Link to="/contracts" className="small">
          All contracts
        </Link>
        <div className="row between">
          <div className="row">
            <h1 className="wrap">{contract.name}</h1>
            <ContractBadge status={contract.status} />
          </div>
          {mayEdit && (
            <DeleteContract
              contract={contract}
              className="button danger"
              onDeleted={() => navigate('/contracts')}
            />
          )}
        </div>
        <p className="soft small wrap">
          {contract.pages !== null && `${manyText(contract.pages, 'page')}, `}
          {bytesText(contract.bytes)}, uploaded {timeText(Date.parse(contract.createdAt))}
          {contract.createdBy && ` by ${contract.createdBy}`}. Revision {contract.revision}.{' '}
          <a href={`/api/v1/contracts/${id}/document`} download>
            Save the document
          </a>
        </p>
        {!mayEdit && <p className="soft small">An administrator of your organisation can correct it.</p>}
      </div>
      {contract.status === 'ready' ? (
        <Sides contract={contract} mayEdit={mayEdit} />
      ) : contract.status === 'failed' ? (
        <Notice kind="bad" title="The document could not be read">
          <div className="stack tight">
            <span>{contract.error?.message}</span>
            {mayEdit ? (
              <Link to="/contracts">Upload another version</Link>
            ) : (
              <span>An administrator of your organisation can upload another version.</span>
            )}
          </div>
        </Notice>
      ) : (
        <Busy>{contract.status === 'queued' ? 'Waiting for its turn…' : 'Reading the document…'}</Busy>
      )}
    </>
  )
}

function Sides({ contract, mayEdit }: { contract: ContractRecord; mayEdit: boolean }) {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('revision')
  const isHistory = query.get('view') === 'history'
  const old = asked !== null && /^\d{1,9}$/.test(asked) ? Number(asked) : undefined
  return (
    <>
      <nav className="tabs" aria-label="Sides of the contract">
        <button
          type="button"
          aria-current={isHistory || old !== undefined ? undefined : 'page'}
          onClick={() => setQuery({})}
        >
          Document and entities
        </button>
        <button
          type="button"
          aria-current={isHistory ? 'page' : undefined}
          onClick={() => setQuery({ view: 'history' })}
        >
          History
        </button>
      </nav>
      {isHistory && (
        <History
          contract={contract}
          mayEdit={mayEdit}
          read={(revision) => setQuery({ revision: String(revision) })}
        />
      )}
      {old !== undefined && !isHistory && <OldRevision contract={contract} revision={old} />}
      {/* Kept while the history is looked at: it holds corrections that are not saved yet. */}
      <div hidden={isHistory || old !== undefined}>
        <ReadingView contract={contract} mayEdit={mayEdit} />
      </div>
    </>
  )
}

function OldRevision({ contract, revision }: { contract: ContractRecord; revision: number }) {
  const read = useRevision(contract.id, revision)
  if (read.isPending) return <Busy>Opening the revision…</Busy>
  if (read.isError) return <FailureNotice failure={read.error} />
  return (
    <>
      <Notice title={`Revision ${revision}, as it was ${timeText(Date.parse(read.data.at))}`}>
        Read-only. The newest is revision {contract.revision}.
      </Notice>
      <ReadingView contract={contract} mayEdit={false} old={read.data.resolvedEntities} />
    </>
  )
}
