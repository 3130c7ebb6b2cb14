import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import type { ProviderRateRow } from '../../src/operations/rate-rows.ts'
import { call } from '../api.ts'
import type { ProviderView } from './provider-view.ts'

/** Leads from a rate to the file and the byte it was read from. */
export function FeeSource({
  view,
  row,
  month,
}: {
  view: ProviderView
  row: z.infer<typeof ProviderRateRow>
  month: string
}) {
  const navigate = useNavigate()
  const { payer = '', billingCode = '', billingCodeType = '', value } = row
  const find = useMutation({
    mutationFn: () =>
      call('rateSource', {
        payer,
        month,
        type: billingCodeType,
        code: billingCode,
        kind: view.kind,
        id: view.id,
        value: String(value),
      }),
    onSuccess: async ({ digest, place, offset }) => {
      const at = new URLSearchParams({ file: digest, place, offset: String(offset) })
      await navigate(`/data/${encodeURIComponent(payer)}/${month}?${at}`)
    },
  })
  return (
    <button type="button" className="link" disabled={find.isPending} onClick={() => find.mutate()}>
      {find.isPending ? 'Looking…' : find.isError ? 'Not found' : 'File'}
      <span className="visually-hidden">
        {' '}
        behind {payer} {billingCode}
      </span>
    </button>
  )
}
