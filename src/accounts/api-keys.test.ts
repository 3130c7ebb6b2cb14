import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshRecords } from '../../test/support/records.ts'
import { changeKey, createKey, keyById, keysOf, revokeKey, rotateKey } from './api-keys.ts'
import { Callers } from './callers.ts'
import { createOrganization } from './organizations.ts'
import { tokenHash } from './tokens.ts'

const noon = Date.parse('2026-06-01T12:00:00Z')
const hour = 3_600_000

async function opened() {
  const records = await freshRecords()
  const organization = await createOrganization(records, 'Clinic', 5, 'start')
  const worksAt = async (apiKey: string, now: number) =>
    (await new Callers(records, () => now).byKey(apiKey)) !== undefined
  return { records, id: organization.id, worksAt }
}

describe('API keys', () => {
  it('are kept as a hash; nothing in the store gives the key back', async () => {
    const { records, id } = await opened()
    const { apiKey, key } = await createKey(records, id, 'Warehouse')
    expect(apiKey).toMatch(/^rb_[\w-]{43}$/)
    expect(apiKey.startsWith(key.prefix)).toBe(true)
    expect(key.prefix).toHaveLength(12)
    const { rows } = await sql<Record<string, unknown>>`select * from api_keys`.execute(records.db)
    expect(rows).toMatchObject([{ hash: tokenHash(apiKey), prefix: key.prefix }])
    expect(JSON.stringify(rows)).not.toContain(apiKey)
    expect(JSON.stringify(await keysOf(records, id))).not.toContain(tokenHash(apiKey))
  })

  it('stand for their organisation and its limits', async () => {
    const { records, id } = await opened()
    const limits = { groups: ['Payer'], tools: ['search_providers'], expiresAt: null }
    const { apiKey, key } = await createKey(records, id, 'k', { limits })
    expect(await new Callers(records).byKey(apiKey)).toMatchObject({
      organizationId: id,
      organizationName: 'Clinic',
      keyId: key.id,
      credits: 5,
      groups: ['Payer'],
      tools: ['search_providers'],
      organizationTools: null,
    })
    expect(await new Callers(records).byKey(`${apiKey}x`)).toBeUndefined()
  })

  it('are told apart when many ask at once', async () => {
    const { records } = await opened()
    const callers = new Callers(records)
    const keys = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const { id } = await createOrganization(records, `Clinic ${at}`, at, 'start')
        return { id, ...(await createKey(records, id, 'k')) }
      }),
    )
    const asked = [...keys, ...keys, { id: undefined, apiKey: 'rb_nobody' }]
    const found = await Promise.all(asked.map(({ apiKey }) => callers.byKey(apiKey)))
    expect(found.map((caller) => caller?.organizationId)).toEqual(asked.map(({ id }) => id))
  })

  it('rotate with an overlap: the old works until it ends, the new from the start', async () => {
    const { records, id, worksAt } = await opened()
    const limits = { groups: ['Payer'], tools: null, expiresAt: noon + 100 * hour }
    const old = await createKey(records, id, 'k', { limits, now: noon })
    const fresh = await rotateKey(records, id, old.key.id, hour, { now: noon })
    expect(fresh.key).toMatchObject({ name: 'k', ...limits })
    expect(await worksAt(old.apiKey, noon + hour - 1)).toBe(true)
    expect(await worksAt(old.apiKey, noon + hour)).toBe(false)
    expect(await worksAt(fresh.apiKey, noon)).toBe(true)
    expect(await worksAt(fresh.apiKey, noon + hour)).toBe(true)
    expect(await keyById(records, id, old.key.id)).toMatchObject({ replacedBy: fresh.key.id })
    await expect(rotateKey(records, id, old.key.id, hour, { now: noon })).rejects.toThrow('rotated already')
  })

  it('never live longer through a rotation than they would have', async () => {
    const { records, id, worksAt } = await opened()
    const old = await createKey(records, id, 'k', {
      limits: { groups: null, tools: null, expiresAt: noon + 10 },
    })
    await rotateKey(records, id, old.key.id, hour, { now: noon })
    expect(await worksAt(old.apiKey, noon + 10)).toBe(false)
    await expect(rotateKey(records, id, old.key.id, hour, { now: noon + 10 })).rejects.toThrow()
  })

  it('are rotated once, however many ask at the same time', async () => {
    const { records, id } = await opened()
    const { key } = await createKey(records, id, 'k', { now: noon })
    const rotations = await Promise.allSettled(
      Array.from({ length: 4 }, () => rotateKey(records, id, key.id, hour, { now: noon })),
    )
    expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await keysOf(records, id)).toHaveLength(2)
  })

  it('end at once when revoked, and stay ended', async () => {
    const { records, id, worksAt } = await opened()
    const { apiKey, key } = await createKey(records, id, 'k', { now: noon })
    expect(await revokeKey(records, id, key.id, noon + 1)).toMatchObject({ revokedAt: noon + 1 })
    expect(await worksAt(apiKey, noon + 1)).toBe(false)
    expect(await revokeKey(records, id, key.id, noon + 2)).toMatchObject({ revokedAt: noon + 1 })
    await expect(rotateKey(records, id, key.id, hour)).rejects.toThrow('A revoked key cannot be rotated')
  })

  it('are changed by their own organisation only', async () => {
    const { records, id } = await opened()
    const { id: other } = await createOrganization(records, 'Other', 0, 'start')
    const { key } = await createKey(records, id, 'k')
    expect(
      await changeKey(records, id, key.id, { name: 'n', groups: ['Payer'], expiresAt: noon }),
    ).toMatchObject({ name: 'n', groups: ['Payer'], tools: null, expiresAt: noon })
    expect(await changeKey(records, id, key.id, { groups: null })).toMatchObject({ name: 'n', groups: null })
    await expect(changeKey(records, other, key.id, { name: 'x' })).rejects.toThrow('no such key')
    await expect(revokeKey(records, other, key.id)).rejects.toThrow('no such key')
    await expect(rotateKey(records, other, key.id, 0)).rejects.toThrow('no such key')
  })
})
