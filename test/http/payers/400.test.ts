import { expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { expectProblem, openDoor } from '../../support/doors.ts'

it('refuses a filter that it does not know instead of ignoring it', async () => {
  const door = await openDoor()
  const { errors } = expectProblem(
    await call(door.app, door.apiKey, 'GET', '/api/v1/payers?state=FL'),
    'invalid_request',
  )
  expect(errors).toEqual([{ path: 'state', message: 'unknown property' }])
})
