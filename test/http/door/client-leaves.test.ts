import { expect, it } from 'vitest'
import { openDoor } from '../../support/doors.ts'
import { gate, listening } from '../../support/sockets.ts'

it('stops the work of a client that left, and takes nothing for it', async () => {
  const begun = gate()
  const stopped = gate()
  const door = await openDoor({
    answers: {
      payers: (_, { signal }) => {
        begun.open()
        signal.addEventListener('abort', () => stopped.open())
        return new Promise(() => {})
      },
    },
  })
  const leaving = new AbortController()
  const asked = fetch(`${await listening(door.app)}/api/v1/payers`, {
    headers: { authorization: `Bearer ${door.apiKey}` },
    signal: leaving.signal,
  })
  await begun.opened
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  await stopped.opened
  await expect.poll(() => door.counted()).toMatchObject([{ operation: 'payers', status: 408, credits: 0 }])
  expect(await door.creditsLeft()).toBe(5)
})

it('does not stop the work of a client that stays', async () => {
  let signal: AbortSignal | undefined
  const door = await openDoor({
    answers: {
      payers: async (_, context) => {
        ;({ signal } = context)
        return []
      },
    },
  })
  const headers = { authorization: `Bearer ${door.apiKey}` }
  await (await fetch(`${await listening(door.app)}/api/v1/payers`, { headers })).text()
  expect(signal?.aborted).toBe(false)
})
