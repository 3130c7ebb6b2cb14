import type { Contract } from '../../src/operations/contracts.ts'

const names = { queued: 'waiting', extracting: 'being read', ready: 'ready', failed: 'failed' }

/** How far a contract is, in a word. */
export function ContractBadge({ status }: Pick<Contract, 'status'>) {
  return (
    <span className={`badge ${status === 'ready' ? 'good' : status === 'failed' ? 'bad' : 'warn'}`}>
      {names[status]}
    </span>
  )
}

export const isUnderWay = ({ status }: Pick<Contract, 'status'>) =>
  status === 'queued' || status === 'extracting'
