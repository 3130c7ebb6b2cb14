import { expect, it } from 'vitest'
import { openDoor } from '../../support/doors.ts'
import { gate, listening } from '../../support/sockets.ts'

it('refuses what exceeds the requests under way, answers probes meanwhile, and recovers', async () => {
  const work = gate()
  let working = 0
  const busy = gate()
  const door = await openDoor({
    env: { RATEBOOK_MAX_IN_FLIGHT: '2' },
    answers: {
      payers: async () => {
        if (++working === 2) busy.open()
        await work.opened
        return []
      },
    },
  })
  const base = await listening(door.app)
  const ask = () => fetch(`${base}/api/v1/payers`, { headers: { authorization: `Bearer ${door.apiKey}` } })
  const running = [ask(), ask()]
  await busy.opened

  const refused = await ask()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await refused.json()).toMatchObject({ code: 'overloaded' })
  for (const probe of ['/healthz', '/readyz', '/metrics'])
    expect((await fetch(base + probe)).status).toBe(200)

  work.open()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
  await expect.poll(async () => (await ask()).status).toBe(200)
})

it('refuses when the heap is above its limit', async () => {
  const door = await openDoor({ env: { RATEBOOK_MAX_HEAP_BYTES: '1' } })
  const base = await listening(door.app)
  await expect.poll(async () => (await fetch(`${base}/llms.txt`)).status).toBe(503)
  expect((await fetch(`${base}/healthz`)).status).toBe(200)
})
