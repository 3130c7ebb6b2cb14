import { expect, it } from 'vitest'
import { marketBenchmarks } from '../../../src/operations/market-benchmarks.ts'
import { heard } from '../../support/doors.ts'

const { filters, metrics } = marketBenchmarks.example.request as { filters: object; metrics: object }

it('takes a place of service as two digits, as one, or as a number', async () => {
  const [request] = await heard('marketBenchmarks', [
    { filters: { ...filters, serviceCodes: ['02', '2', 2, 'CSTM-00', 'none'] }, metrics },
  ])
  expect(request).toMatchObject({ filters: { serviceCodes: ['02', '02', '02', 'CSTM-00', 'none'] } })
})
