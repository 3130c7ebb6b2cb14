import { expect, it } from 'vitest'
import { changeOrganization } from '../../../src/accounts/organizations.ts'
import { operations } from '../../../src/operations/index.ts'
import { operationGroups } from '../../../src/operations/operation.ts'
import { expectProblem, newCaller, openDoor, operationNames } from '../../support/doors.ts'

it.each(operationGroups)('lets a key restricted to %s call that group and no other', async (group) => {
  const door = await openDoor()
  const { apiKey } = await newCaller(door.service, 20, [group])
  for (const name of operationNames.filter((other) => operations[other].group === group))
    expect(JSON.parse((await door.ask(name, undefined, apiKey)).body || 'null')).toEqual(
      operations[name].example.response ?? null,
    )
  for (const name of operationNames.filter((other) => operations[other].group !== group)) {
    const answer = await door.ask(name, undefined, apiKey)
    expect(expectProblem(answer, 'forbidden')['detail']).toContain(`${group}; ${name} belongs to`)
    expect(answer.headers['x-credits-charged']).toBe('0')
  }
})

it('refuses every key of a suspended organisation, until it is no longer suspended', async () => {
  const door = await openDoor()
  const suspend = (suspendedAt: number | null) =>
    changeOrganization(door.service.records, door.organization.id, { suspendedAt })
  await suspend(1)
  for (const name of operationNames) expectProblem(await door.ask(name), 'organization_suspended')
  expect(await door.creditsLeft()).toBe(5)
  await suspend(null)
  expect((await door.ask('payers')).statusCode).toBe(200)
})
