import { expect, it } from 'vitest'
import { heard } from '../../support/doors.ts'

it('clamps a limit above 10,000 instead of refusing it, and takes 20 without one', async () => {
  const requests = await heard('ccnSearch', [{ limit: 10_001 }, { limit: 10_000 }, {}])
  expect(requests.map((request) => (request as { limit: number }).limit)).toEqual([10_000, 10_000, 20])
})

it('takes null for includeFields, and null among facility types and categories', async () => {
  const [request] = await heard('ccnSearch', [
    { includeFields: null, ccnFacilityTypes: [null], ccnCategories: [null], ccn: '45S033' },
  ])
  expect(request).toMatchObject({ includeFields: null, ccnFacilityTypes: [null], ccnCategories: [null] })
})
