import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { normalPlanNames } from './plan-names.ts'
import { tableOfContents } from './table-of-contents.ts'

describe('a reported plan name', () => {
  it.each([
    ['271314 2 PPO CDHP WITH HSA_N2N', ['PPO', 'HDHP']],
    ['271313 1 PPO PPO PLAN_N2N', ['PPO']],
    ['Choice POS II', ['POS']],
    ['HMO-POS Gold', ['HMO', 'POS']],
    ['BlueChoicePPO', ['PPO']],
    ['Exclusive Provider Organization', ['EPO']],
    ['QHDHP 3000', ['HDHP']],
    ['PPOHSA', ['PPO', 'HDHP']],
    ['OAPOS 1500', ['POS']],
    ['Open Access Plus', ['Open Access']],
    ['Traditional Indemnity', ['Indemnity']],
    ['Positive Health Choice', ['Other']],
    ['EPO2500', ['EPO']],
    ['Ambetter from Fidelis care Gold for Children ', ['Other']],
    ['', ['Other']],
  ])('%s is %j', (reported, normal) => expect(normalPlanNames(reported)).toEqual(normal))
})

const index = join(
  process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../shared/data'),
  'payer-files/index/2024-10-21_Blue-Cross-and-Blue-Shield-of-Texas_161531026_index.json',
)

it.skipIf(!existsSync(index))('is understood throughout a real index', async () => {
  const names: string[] = []
  for await (const listings of tableOfContents(createReadStream(index)).listings)
    names.push(...listings.flatMap((listing) => ('plan' in listing ? [listing.plan.name] : [])))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !normalPlanNames(name).includes('PPO'))).toEqual([])
})
