import { expect, it, onTestFinished } from 'vitest'
import { startGateServer, unlimited } from '../bench/support/gate-servers.ts'
import { bookErrors, gateSums } from '../bench/support/gate-sums.ts'
import { signUp } from '../src/accounts/users.ts'
import { readSettings } from '../src/config.ts'
import { openRecords } from '../src/records/open.ts'
import { freshStore } from './support/service.ts'

it('sells each credit once when two servers share a store', async () => {
  const env = { ...unlimited, ...(await freshStore()) }
  const records = await openRecords(readSettings(env))
  onTestFinished(() => records.close())
  const { apiKey } = await signUp(
    records,
    { email: 'ada@example.org', password: 'a long password', organization: 'Clinic' },
    300,
  )
  const servers = await Promise.all([startGateServer('metered', env), startGateServer('metered', env)])
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))))

  const callUntilRefused = async (url: string) => {
    for (let answered = 0; ; answered++) {
      const { status } = await fetch(`${url}/api/v1/payer/plans`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: '{"payer":"Aetna"}',
      })
      if (status !== 200) return { answered, status }
    }
  }
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, at) => callUntilRefused(servers[at % 2]!.url)),
  )
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 402))
  expect(results.reduce((sum, { answered }) => sum + answered, 0)).toBe(300)
  const sums = await gateSums(records)
  expect(bookErrors(sums)).toEqual([])
  expect(sums).toMatchObject([{ granted: 300, credits: 0, paidCalls: 300 }])
})
