import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { npiCheckDigitHolds } from '../vocabulary/identifiers.ts'
import { taxonomyList } from '../vocabulary/taxonomy-list.ts'
import { demoRevenue, demoServices, demoStays } from './codes.ts'
import { inNetworkText } from './payer-files.ts'
import { demoMonths, demoPayers } from './payers.ts'
import { writeProviderFiles } from './provider-files.ts'
import { demoWorld } from './providers.ts'
import { Random } from './random.ts'
import { demoItems } from './rates.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-'))
afterAll(() => rmSync(folder, { recursive: true }))

const world = demoWorld()
const [atlantic] = demoPayers
const [august] = demoMonths
if (atlantic === undefined) throw new Error('no payer')
const [choice] = atlantic.networks
if (choice === undefined) throw new Error('no network')

describe('the demo', () => {
  it('is as large as promised', () => {
    expect(demoPayers.length).toBeGreaterThanOrEqual(12)
    expect(demoMonths).toHaveLength(3)
    expect(world.providers).toHaveLength(5_000)
    expect(new Set(world.providers.map(({ state }) => state.state)).size).toBe(8)
    expect(new Set(world.providers.map(({ taxonomy }) => taxonomy)).size).toBeGreaterThanOrEqual(40)
    const codes = [...demoServices, ...demoStays, ...demoRevenue]
    expect(codes.length + 1).toBeGreaterThanOrEqual(200)
    const types = new Set<string>([...demoServices, ...demoStays].map(({ type }) => type))
      .add('RC')
      .add('CSTM-ALL')
    expect(types.size).toBe(7)
  })

  it('names providers that pass for real ones and are none', () => {
    expect(new Set(world.providers.map(({ npi }) => npi)).size).toBe(5_000)
    expect(
      world.providers.every(({ npi }) => npiCheckDigitHolds(npi) && String(npi).startsWith('2999')),
    ).toBe(true)
    const known = new Set(taxonomyList.map(([code]) => code))
    expect(world.providers.filter(({ taxonomy }) => !known.has(taxonomy))).toEqual([])
    const ccns = world.providers.flatMap(({ ccn }) => (ccn ? [ccn] : []))
    expect(new Set(ccns).size).toBe(ccns.length)
  })

  it('is the same in every run, to the byte', () => {
    const text = [...inNetworkText(demoWorld(), atlantic, choice, august)].join('')
    expect(text).toBe([...inNetworkText(world, atlantic, choice, august)].join(''))
    expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toMatchInlineSnapshot(
      `"800cdafcba788af4"`,
    )
    const random = new Random('seed')
    expect([random.next(), random.below(100), random.spread(0.2)]).toMatchInlineSnapshot(`
      [
        0.9498909888789058,
        7,
        0.6811211372676145,
      ]
    `)
  })

  it('writes well-formed files in each layout, marked as synthetic', () => {
    for (const payer of demoPayers.slice(0, 4)) {
      const [network] = payer.networks
      if (network === undefined) throw new Error('no network')
      const file = JSON.parse([...inNetworkText(world, payer, network, august)].join('')) as {
        reporting_entity_name: string
        version: string
        provider_references?: unknown[]
        in_network: { name: string }[]
      }
      expect(file.reporting_entity_name).toContain('SYNTHETIC')
      expect(file.version).toBe(payer.schema)
      expect(file.in_network.length).toBeGreaterThan(150)
      expect(file.in_network.every(({ name }) => name.includes('SYNTHETIC'))).toBe(true)
      expect(Boolean(file.provider_references)).toBe(payer.shape !== 'inline groups')
    }
  })

  it('pays plausible multiples of Medicare', () => {
    const visit = demoServices.find(({ code }) => code === '99213')
    const ratios: number[] = []
    for (const payer of demoPayers)
      for (const network of payer.networks)
        for (const item of demoItems(world, payer, network, august))
          if (item.code === '99213')
            for (const rate of item.rates)
              for (const { rate: cents, serviceCodes } of rate.prices)
                if (serviceCodes.includes('11')) ratios.push(cents / (visit?.office ?? 1))
    ratios.sort((a, b) => a - b)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeGreaterThan(1.1)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.5)
  })

  it('lists its providers as CMS does', async () => {
    const files = await writeProviderFiles(folder, world)
    const [header, first, ...rest] = readFileSync(files.providers, 'utf8').trimEnd().split('\n')
    expect(header).toContain('"NPI","Entity Type Code"')
    expect(first).toContain('(Synthetic)')
    expect(rest).toHaveLength(4_999)
    expect(readFileSync(files.hospitals, 'utf8').trimEnd().split('\n')).toHaveLength(1 + 96)
  })
})
