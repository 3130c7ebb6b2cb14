import { expect, it } from 'vitest'
import { openDoor } from '../../support/doors.ts'
import { gate, listening } from '../../support/sockets.ts'

it('lets a running request end, charges it, and refuses new ones', async () => {
  const begun = gate()
  const work = gate()
  const door = await openDoor({
    answers: {
      payers: async () => {
        begun.open()
        await work.opened
        return []
      },
    },
  })
  const base = await listening(door.app)
  const ask = () => fetch(`${base}/api/v1/payers`, { headers: { authorization: `Bearer ${door.apiKey}` } })
  const running = ask()
  await begun.opened

  const closed = door.app.close()
  await expect.poll(() => door.app.server.listening).toBe(false)
  await expect(ask()).rejects.toThrow('fetch failed')

  work.open()
  const answer = await running
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-credits-charged')).toBe('1')
  await closed
  expect(await door.creditsLeft()).toBe(4)
})
