import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import {
  changeOrganization,
  createOrganization,
  creditGrants,
  grantCredits,
  organizationById,
  organizationNamed,
} from './organizations.ts'
import { signUp } from './users.ts'

describe('organisations', () => {
  it('are found by id, by name and by the address of a member', async () => {
    const records = await freshRecords()
    const { organization } = await signUp(
      records,
      { email: 'ada@example.org', password: 'a long password', organization: 'Clinic' },
      5,
    )
    for (const text of [organization.id, 'Clinic', 'ADA@example.org'])
      expect((await organizationNamed(records, text)).id).toBe(organization.id)
    await expect(organizationNamed(records, 'clinic')).rejects.toThrow('No organisation has')
    const twin = await createOrganization(records, 'Clinic', 0, 'start')
    await expect(organizationNamed(records, 'Clinic')).rejects.toThrow(twin.id)
  })

  it('get credits that are noted, and none out of nothing', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5, 'start', 1)
    expect(await grantCredits(records, id, 7, 'bought', 2)).toBe(12)
    expect(await creditGrants(records, id)).toEqual([
      { credits: 7, reason: 'bought', grantedAt: 2 },
      { credits: 5, reason: 'start', grantedAt: 1 },
    ])
    for (const credits of [0, -1, 1.5, Number.NaN, 2 ** 53])
      await expect(grantCredits(records, id, credits, 'odd')).rejects.toThrow('whole number')
    await expect(grantCredits(records, 'nobody', 1, 'odd')).rejects.toThrow()
    expect(await creditGrants(records, id)).toHaveLength(2)
    await Promise.all(Array.from({ length: 20 }, () => grantCredits(records, id, 1, 'at once')))
    expect(await organizationById(records, id)).toMatchObject({ credits: 32 })
  })

  it('change what is named and keep the rest', async () => {
    const records = await freshRecords()
    const { id } = await createOrganization(records, 'Clinic', 5, 'start')
    await changeOrganization(records, id, {
      ratePerSecond: 0.5,
      rateBurst: 3,
      pageSizeMax: 100,
      tools: ['a'],
    })
    expect(await changeOrganization(records, id, { name: 'New', tools: null })).toMatchObject({
      name: 'New',
      ratePerSecond: 0.5,
      rateBurst: 3,
      pageSizeMax: 100,
      tools: null,
      suspendedAt: null,
      credits: 5,
    })
    await expect(changeOrganization(records, 'nobody', { name: 'x' })).rejects.toThrow('no such organisation')
  })
})
