import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import type { Answers } from '../../../src/service.ts'
import { expectProblem, openDoor, operationNames } from '../../support/doors.ts'

it('says that its data are not loaded, invents none, and takes nothing', async () => {
  const answers = Object.fromEntries(operationNames.map((name) => [name, undefined])) as Answers
  const door = await openDoor({ answers })
  for (const name of operationNames) {
    const answer = await door.ask(name)
    expect(expectProblem(answer, 'not_loaded')['detail']).toContain(operations[name].path)
    expect(answer.headers['x-credits-charged']).toBe('0')
  }
  expect(await door.creditsLeft()).toBe(5)
})

it('tells a wrong request that it is wrong, loaded or not', async () => {
  const door = await openDoor({ answers: { npis: undefined } as unknown as Answers })
  expect((await door.ask('npis', {})).statusCode).toBe(400)
})
