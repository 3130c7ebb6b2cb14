import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Contract } from '../../src/operations/contracts.ts'
import { askContract } from '../api.ts'

/** Deletes a contract, after asking once more. */
export function DeleteContract({
  contract: { id, name },
  className,
  onDeleted,
}: {
  contract: Pick<Contract, 'id' | 'name'>
  className: string
  onDeleted?: () => void | Promise<void>
}) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => askContract('deleteContract', { id }),
    onSuccess: async () => {
      await onDeleted?.()
      queries.removeQueries({ queryKey: ['contract', id] })
      await queries.invalidateQueries({ queryKey: ['contracts'] })
    },
  })
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={`Delete ${name}`}
        disabled={remove.isPending}
        onClick={() => {
          if (confirm(`Delete “${name}” with all its corrections?`)) remove.mutate()
        }}
      >
        Delete
      </button>
      {remove.isError && (
        <span role="alert" className="small">
          {remove.error.message}
        </span>
      )}
    </>
  )
}
