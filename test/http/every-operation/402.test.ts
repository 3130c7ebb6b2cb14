import { expect, it } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import type { Answers } from '../../../src/service.ts'
import { expectProblem, openDoor, operationNames } from '../../support/doors.ts'

it('says where to get credits, does no work and takes nothing', async () => {
  const env = {
    RATEBOOK_CREDITS_URL: 'https://example.org/buy',
    RATEBOOK_PRICES: operationNames.map((name) => `${name}=3`).join(','),
  }
  const asked: string[] = []
  const answers = Object.fromEntries(
    operationNames.map((name) => [
      name,
      async () => {
        asked.push(name)
        return operations[name].example.response
      },
    ]),
  ) as Answers
  const door = await openDoor({ env, answers, credits: 2 })
  for (const name of operationNames) {
    const answer = await door.ask(name)
    expect(expectProblem(answer, 'insufficient_credit')).toMatchObject({
      detail: expect.stringContaining('https://example.org/buy'),
      creditsNeeded: 3,
      creditsRemaining: 2,
      getCreditsAt: 'https://example.org/buy',
    })
    expect(answer.headers).toMatchObject({ 'x-credits-charged': '0', 'x-credits-remaining': '2' })
  }
  expect(asked).toEqual([])
  expect(await door.creditsLeft()).toBe(2)
})

it('sends a caller to the account page of this server unless the operator says otherwise', async () => {
  const door = await openDoor({ env: { RATEBOOK_BASE_URL: 'https://rates.example.org/' }, credits: 0 })
  const { getCreditsAt } = expectProblem(await door.ask('payers'), 'insufficient_credit')
  expect(getCreditsAt).toBe('https://rates.example.org/account/credits')
})

it('never lets calls at the same time spend a credit twice', async () => {
  const door = await openDoor({ credits: 5, env: { RATEBOOK_RATE_BURST: '100' } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => door.ask('payers')))
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 402)).toHaveLength(15)
  expect(await door.creditsLeft()).toBe(0)
})
