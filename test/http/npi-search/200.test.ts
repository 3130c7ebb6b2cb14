import { expect, it } from 'vitest'
import { heard } from '../../support/doors.ts'

it('clamps a limit above 3,000 instead of refusing it, and takes 20 without one', async () => {
  const requests = await heard('npiSearch', [
    { limit: 3_001 },
    { limit: 1e9 },
    { limit: 3_000 },
    { limit: 2.7 },
    {},
  ])
  expect(requests.map((request) => (request as { limit: number }).limit)).toEqual([
    3_000, 3_000, 3_000, 2, 20,
  ])
})

it('accepts everything at its limit', async () => {
  const widest = {
    searchTerm: 'x'.repeat(40),
    matchFields: ['displayName', 'ccns', 'otherName', 'tins'],
    taxonomyCodes: Array(10).fill('207RC0000X'),
    states: Array(5).fill('FL'),
    counties: Array(10).fill('Dade'),
    entityTypes: ['Individual', 'Group'],
    inNetworkPayers: ['Aetna'],
    limit: 1,
  }
  expect(await heard('npiSearch', [widest])).toEqual([widest])
})
