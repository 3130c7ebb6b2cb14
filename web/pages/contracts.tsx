import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Contract } from '../../src/operations/contracts.ts'
import { askContract } from '../api.ts'
import { ContractBadge, isUnderWay } from '../contracts/contract-badge.tsx'
import { DeleteContract } from '../contracts/delete-contract.tsx'
import { Upload } from '../contracts/upload.tsx'
import { TextField } from '../parts/form.tsx'
import { timeText } from '../parts/format.ts'
import { Busy, FailureNotice, Notice } from '../parts/notice.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { type Column, DataTable } from '../parts/table.tsx'
import { SignedIn } from '../session.tsx'

const watchMs = 1_000

/** The organisation's contracts, and a way to upload another. */
export function Contracts() {
  return <SignedIn>{({ organization }) => <List mayEdit={organization.role === 'admin'} />}</SignedIn>
}

function List({ mayEdit }: { mayEdit: boolean }) {
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery({
    queryKey: ['contracts', search],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) =>
      askContract(
        'listContracts',
        { ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ contracts }) => contracts.some(isUnderWay)) ? watchMs : false,
  })
  const contracts = list.data?.pages.flatMap((page) => page.contracts) ?? []
  return (
    <>
      <div className="stack tight">
        <h1>Contracts</h1>
        <p className="soft">
          Who, what, where and when: read from your payer contracts, each with the sentence it came from, to
          be checked and corrected.
        </p>
      </div>
      {mayEdit ? (
        <Upload />
      ) : (
        <p className="soft small">An administrator of your organisation uploads and corrects contracts.</p>
      )}
      {(contracts.length > 0 || search) && (
        <TextField
          label="Find by name"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {list.isPending && <Busy>Loading contracts…</Busy>}
      {list.isError && <FailureNotice failure={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && contracts.length === 0 && (
        <Notice title={search ? 'No such contract' : 'No contracts yet'}>
          {search
            ? 'No name holds these words.'
            : 'A contract that is uploaded stands here, with its parties, scope, terms and clauses.'}
        </Notice>
      )}
      {contracts.length > 0 && (
        <DataTable<Contract>
          caption="Contracts"
          rows={contracts}
          rowKey={({ id }) => id}
          columns={mayEdit ? [...columns, deed] : columns}
        />
      )}
      <ShowMore list={list} />
    </>
  )
}

const columns: readonly Column<Contract>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ id, name }) => <Link to={`/contracts/${id}`}>{name}</Link>,
    sort: ({ name }) => name,
  },
  {
    key: 'status',
    title: 'Status',
    prose: true,
    cell: ({ status, error }) => (
      <>
        <ContractBadge status={status} /> {error && <span className="small">{error.message}</span>}
      </>
    ),
    sort: ({ status }) => status,
  },
  {
    key: 'revision',
    title: 'Revision',
    number: true,
    cell: ({ revision }) => revision,
    sort: ({ revision }) => revision,
  },
  { key: 'pages', title: 'Pages', number: true, cell: ({ pages }) => pages ?? '–' },
  {
    key: 'at',
    title: 'Uploaded',
    cell: ({ createdAt }) => timeText(Date.parse(createdAt)),
    sort: ({ createdAt }) => createdAt,
  },
  { key: 'by', title: 'By', cell: ({ createdBy }) => createdBy ?? '–', sort: ({ createdBy }) => createdBy },
]

const deed: Column<Contract> = {
  key: 'delete',
  title: 'Delete',
  cell: (contract) => <DeleteContract contract={contract} className="link" />,
}
