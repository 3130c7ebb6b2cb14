import type { z } from 'zod'
import type { ModelBasis } from '../../src/operations/report-model-views.ts'
import { moneyText } from '../parts/format.ts'
import { labelOf } from './columns.ts'

/** What the model is built on, in a sentence. */
export function BasisLine({ basis }: { basis: z.infer<typeof ModelBasis> }) {
  return (
    <p className="soft small">
      {basis.yourColumn !== 'negotiated_rate' && `Your rate: ${labelOf(basis.yourColumn)}. `}
      Measured against: {basis.baselineLabel}.{' '}
      {basis.annualRevenue === null
        ? 'No annual revenue is given: one million dollars stands in for it.'
        : `Annual revenue ${moneyText(basis.annualRevenue).replace(/\.00$/, '')}.`}
    </p>
  )
}
