import { expect, it } from 'vitest'
import { heard } from '../../support/doors.ts'

it('clamps a limit above 3,000 instead of refusing it, and takes 20 without one', async () => {
  const requests = await heard('tinSearch', [{ limit: 3_001 }, { limit: 3_000 }, {}])
  expect(requests.map((request) => (request as { limit: number }).limit)).toEqual([3_000, 3_000, 20])
})

it('takes names of organisations as long as they are', async () => {
  const name = 'SAINT JOSEPHS REGIONAL MEDICAL CENTER AND PHYSICIANS OF NORTHERN NEW JERSEY INCORPORATED'
  const searchTerms = Array.from({ length: 50 }, (_, place) => `${name} ${place}`)
  const requests = await heard('tinSearch', [{ searchTerm: name }, { searchTerms }])
  expect(requests).toMatchObject([{ searchTerm: name }, { searchTerms }])
})
