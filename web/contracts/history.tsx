import { freshId } from '../fresh-id.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contract, ContractRevision } from '../../src/operations/contracts.ts'
import { askContract } from '../api.ts'
import { timeText } from '../parts/format.ts'
import { Busy, FailureNotice } from '../parts/notice.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { differences } from './differences.ts'

/** Who changed what and when, newest first. */
export function History({
  contract: { id, revision: newest },
  mayEdit,
  read,
}: {
  contract: Contract
  mayEdit: boolean
  /** Shows a revision as it was. */
  read: (revision: number) => void
}) {
  const queries = useQueryClient()
  const list = useInfiniteQuery({
    queryKey: ['contract', id, 'revisions', newest],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      askContract('contractRevisions', { id, ...(pageParam > 0 && { before: pageParam }) }, signal),
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
  })
  const revert = useMutation({
    mutationFn: (revision: number) =>
      askContract('revertContract', {
        id,
        revision,
        baseRevision: newest,
        requestId: freshId(),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['contract', id] }),
  })
  if (list.isPending) return <Busy>Loading the history…</Busy>
  if (list.isError) return <FailureNotice failure={list.error} retry={() => void list.refetch()} />
  const revisions = list.data.pages.flatMap((page) => page.revisions)
  return (
    <>
      {revert.isError && <FailureNotice failure={revert.error} />}
      <ol className="plain stack" aria-label="Revisions">
        {revisions.map((revision) => (
          <li key={revision.revision} className="card">
            <div className="row between">
              <div>
                <h2>Revision {revision.revision}</h2>
                <p className="soft small wrap">
                  {deedText(revision)}, {timeText(Date.parse(revision.at))}
                  {revision.by && `, by ${revision.by}`}
                </p>
              </div>
              <div className="row">
                <button
                  type="button"
                  className="button"
                  aria-label={`Read revision ${revision.revision}`}
                  onClick={() => read(revision.revision)}
                >
                  Read
                </button>
                {mayEdit && revision.revision !== newest && (
                  <button
                    type="button"
                    className="button"
                    aria-label={`Revert to revision ${revision.revision}`}
                    disabled={revert.isPending}
                    onClick={() => revert.mutate(revision.revision)}
                  >
                    Revert
                  </button>
                )}
              </div>
            </div>
            {revision.revision > 0 && (
              <Changes id={id} revision={revision.revision} isFirst={revision.revision === newest} />
            )}
          </li>
        ))}
      </ol>
      <ShowMore list={list} />
    </>
  )
}

function deedText({ kind, revertedTo }: ContractRevision): string {
  if (kind === 'extraction') return 'Read from the document'
  return kind === 'revert' ? `Reverted to revision ${revertedTo}` : 'Corrected'
}

/** A revision never changes, so it is asked for once. */
export function useRevision(id: string, revision: number, isWanted = true) {
  return useQuery({
    queryKey: ['contract-revision', id, revision],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
    queryFn: ({ signal }) => askContract('contractRevision', { id, revision }, signal),
  })
}

function Changes({ id, revision, isFirst }: { id: string; revision: number; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst)
  const before = useRevision(id, revision - 1, isOpen)
  const after = useRevision(id, revision, isOpen)
  const failed = before.error ?? after.error
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What changed</summary>
      {failed && <FailureNotice failure={failed} />}
      {isOpen && !failed && !(before.data && after.data) && <Busy>Comparing…</Busy>}
      {before.data && after.data && (
        <ul className="plain stack tight small differences wrap">
          {differences(before.data.resolvedEntities, after.data.resolvedEntities).map((difference) => (
            <li key={`${difference.where} ${difference.before} ${difference.after}`}>
              {difference.where}: {difference.before !== undefined && <del>{difference.before}</del>}
              {difference.before !== undefined && difference.after !== undefined && ' → '}
              {difference.after !== undefined && <ins>{difference.after}</ins>}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
