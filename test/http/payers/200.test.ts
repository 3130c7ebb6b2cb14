import { expect, it } from 'vitest'
import { payers } from '../../../src/vocabulary/payers.ts'
import { openDoor } from '../../support/doors.ts'

it('lists every payer of the registry by name, without periods while no data are loaded', async () => {
  const door = await openDoor({ answers: {} })
  const listed: { payer: string; yearMonths: unknown[] }[] = (await door.ask('payers')).json()
  expect(listed.length).toBeGreaterThanOrEqual(63)
  expect(listed.map(({ payer }) => payer)).toEqual(payers().map(({ payer }) => payer))
  expect(listed.flatMap(({ yearMonths }) => yearMonths)).toEqual([])
})
