import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { heard, openDoor } from '../../support/doors.ts'

const asked = operations.providerRates.example.request as object

it('asks for all codes with an empty list of codes', async () => {
  const [request] = await heard('providerRates', [{ ...asked, billingCodeAndTypes: [] }])
  expect(request).toMatchObject({ billingCodeAndTypes: [] })
})

it('accepts pages of 1 to 10,000 rows', async () => {
  const bodies = [1, 10_000].map((pageSize) => ({ ...asked, pagination: { pageSize } }))
  expect(await heard('providerRates', bodies)).toMatchObject(bodies)
})

it('streams a page of 10,000 rows whole, with what stands beside the rows', async () => {
  const data = Array.from({ length: 10_000 }, (_, at) => ({ metrics: 'npi_1234567893', value: at / 4 }))
  const page = { data, sourceMonths: ['202605'], nextCursor: 'next' }
  const door = await openDoor({ answers: { providerRates: async () => page } })
  const answer = await door.ask('providerRates')
  expect(answer.json()).toEqual(page)
  expect(answer.headers['x-credits-charged']).toBe('1')
})

it('bills each page', async () => {
  const door = await openDoor()
  await door.ask('providerRates', { ...asked, pagination: {} })
  await door.ask('providerRates', { ...asked, pagination: { cursor: 'next' } })
  expect(await door.creditsLeft()).toBe(3)
})
