import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listed, writeDirectory } from '../../test/support/small-directory.ts'
import {
  ccnSearch as ccnSearchOperation,
  npiSearch as npiSearchOperation,
  tinSearch as tinSearchOperation,
} from '../operations/providers.ts'
import { hospitalBilling } from './billing.ts'
import { buildIndex } from './build-index.ts'
import { ccns, ccnSearch } from './hospitals.ts'
import { npis, npiSearch } from './npis.ts'
import { OpenedProviders, sharedProviders } from './opened.ts'
import { searchProviders } from './search.ts'
import { tins, tinSearch } from './tins.ts'

const folder = mkdtempSync(join(tmpdir(), 'ratebook-providers-'))
let opened: OpenedProviders

beforeAll(async () => {
  await writeDirectory(folder, '1')
  const index = join(folder, 'index')
  const built = await buildIndex(index, {
    providersFile: join(folder, 'directory/builds/providers-1/providers.duckdb'),
    hospitalsFile: join(folder, 'directory/builds/hospitals-1/hospitals.duckdb'),
    listed,
  })
  expect(built.counts).toEqual({ npis: 5, hospitals: 3, tins: 3 })
  writeFileSync(join(index, 'index.json'), JSON.stringify(built))
  opened = new OpenedProviders(sharedProviders(index))
})
afterAll(() => {
  opened.close()
  rmSync(folder, { recursive: true, force: true })
})

const askNpis = (request: object) => npiSearch(opened, npiSearchOperation.request.parse(request))
const askHospitals = (request: object) => ccnSearch(opened, ccnSearchOperation.request.parse(request))
const askTins = (request: object) => tinSearch(opened, tinSearchOperation.request.parse(request))
const values = (found: readonly { value?: unknown }[]) => found.map(({ value }) => value)

describe('npis', () => {
  it('follows the order asked and leaves unknown and deactivated ones out', () => {
    const found = npis(opened, { npis: [1_000_000_038, 1_999_999_992, 1_000_000_053, 1_000_000_012] })
    expect(found.map(({ npi }) => npi)).toEqual([1_000_000_038, 1_000_000_012])
  })

  it('tells all nine fields, or those asked for', () => {
    expect(npis(opened, { npis: [1_000_000_012] })).toEqual([
      {
        npi: 1_000_000_012,
        name: 'JANE Q SAMPLE',
        credentials: 'M.D.',
        primaryTaxonomyCode: '207R00000X',
        state: 'FL',
        counties: ['Miami-Dade'],
        entityType: 'individual',
        payers: ['Aetna', 'Cigna'],
        tins: [123_456_789],
      },
    ])
    expect(npis(opened, { npis: [1_000_000_012], includeFields: ['name', 'npi'] })).toEqual([
      { npi: 1_000_000_012, name: 'JANE Q SAMPLE' },
    ])
  })
})

describe('npiSearch', () => {
  it('answers in text, lists joined with a comma and a space', () => {
    expect(askNpis({ searchTerm: 'sampel cardiology' })[0]).toEqual({
      value: 1_000_000_038,
      title: 'SAMPLE CARDIOLOGY LLC (FL)',
      npi: '1000000038',
      displayName: 'SAMPLE CARDIOLOGY LLC',
      state: 'FL',
      counties: 'Miami-Dade, Broward',
      ccns: '',
      credentials: '',
      taxonomyCodes: '207RC0000X',
      entityType: 'Group',
      relatedNpis: '1000000012',
      inNetworkPayers: 'Aetna, Cigna',
      tins: '123456789',
      otherName: 'HEART OF FLORIDA',
    })
  })

  it('carries the fields asked for beside value and title', () =>
    expect(
      askNpis({ searchTerm: 'jane sample', includeFields: ['npi', 'displayName', 'state'], limit: 1 }),
    ).toEqual([
      {
        value: 1_000_000_012,
        title: 'JANE Q SAMPLE (FL)',
        npi: '1000000012',
        displayName: 'JANE Q SAMPLE',
        state: 'FL',
      },
    ]))

  it.each([
    ['an NPI', '1000000046', 1_000_000_046],
    ['the beginning of an NPI', '100000004', 1_000_000_046],
    ['a TIN', '12-3456789', 1_000_000_012],
    ['the beginning of a TIN with a leading zero', '01234', 1_000_000_046],
    ['a CCN', '100001', 1_000_000_046],
    ['another name', 'heart of florida', 1_000_000_038],
    ['a name with its credential', 'sample john do', 1_000_000_020],
  ])('finds by %s', (_, searchTerm, npi) => expect(values(askNpis({ searchTerm }))).toContain(npi))

  it('ranks by how many payers list a provider where names tie', () =>
    expect(values(askNpis({ searchTerm: 'sample' })).slice(0, 2)).toEqual([1_000_000_020, 1_000_000_038]))

  it.each([
    [{ states: ['tx'] }, [1_000_000_020]],
    [{ entityTypes: ['Group'], states: ['FL'] }, [1_000_000_038, 1_000_000_046]],
    [{ taxonomyCodes: ['207RC0000X'], entityTypes: ['Individual'] }, [1_000_000_012]],
    [{ counties: ['broward'] }, [1_000_000_038]],
    [{ inNetworkPayers: ['Cigna'] }, [1_000_000_012, 1_000_000_038, 1_000_000_061]],
    [{ states: ['WY'] }, []],
    [{ taxonomyCodes: ['no such code'] }, []],
  ])('lists what passes %j, in rank order', (filter, expected) =>
    expect(new Set(values(askNpis(filter)))).toEqual(new Set<unknown>(expected)),
  )

  it('looks only where matchFields says', () => {
    expect(values(askNpis({ searchTerm: 'heart of florida', matchFields: ['displayName'] }))).toEqual([])
    expect(values(askNpis({ searchTerm: '123456789', matchFields: ['displayName'] }))).toEqual([])
    expect(values(askNpis({ searchTerm: '123456789', matchFields: ['tins'] }))).toHaveLength(2)
    expect(values(askNpis({ searchTerm: '100001', matchFields: ['ccns'] }))).toEqual([1_000_000_046])
  })

  it('clamps its limit', () => expect(askNpis({ limit: 1 })).toHaveLength(1))

  it('suggests with four fields, at most ten', () =>
    expect(askNpis({ searchTerm: 'jane s', suggestionsOnly: true })).toEqual([
      { value: 1_000_000_012, title: 'JANE Q SAMPLE (FL)', state: 'FL', entityType: 'Individual' },
    ]))

  it.each([
    [{ searchTerm: '12', suggestionsOnly: true }, '3 digits'],
    [{ searchTerm: 'j', suggestionsOnly: true }, '2 characters'],
    [{ suggestionsOnly: true }, 'exactly one term'],
  ])('refuses suggestions for %j', (request, message) => {
    let problems: readonly { message: string }[] = []
    try {
      askNpis(request)
    } catch (error) {
      problems = (error as { details: { problems: { message: string }[] } }).details.problems
    }
    expect(problems[0]?.message).toContain(message)
  })
})

describe('hospitals', () => {
  it('come keyed by CCN, unknown ones left out', () => {
    expect(
      ccns(opened, { ccns: ['100001', '999999'], includeFields: ['name', 'state', 'city', 'npi'] }),
    ).toEqual({
      '100001': {
        ccn: '100001',
        name: 'SAMPLE MEDICAL CENTER',
        state: 'FL',
        city: 'JACKSONVILLE',
        npi: 1_000_000_046,
      },
    })
    expect(ccns(opened, { ccns: [] })).toEqual({})
    expect(Object.keys(ccns(opened, { ccns: ['100001', '45S033'], ccnCategories: ['Unit'] }))).toEqual([
      '45S033',
    ])
    expect(Object.keys(ccns(opened, { ccns: ['100001', '45S033'], ccnFacilityTypes: [null] }))).toEqual([
      '45S033',
    ])
  })

  it('tell everything when no field is chosen', () =>
    expect(ccns(opened, { ccns: ['100001'] })['100001']).toEqual({
      ccn: '100001',
      name: 'SAMPLE MEDICAL CENTER',
      state: 'FL',
      city: 'JACKSONVILLE',
      npi: 1_000_000_046,
      street: '1 MAIN ST',
      zipCode: '32202',
      address: '1 MAIN ST, JACKSONVILLE, FL 32202',
      phone: '9045550100',
      providerType: 'Acute Care Hospitals',
      ownership: 'Proprietary',
      bedCount: 300,
      careQuality: '4',
      clinicalServices: ['Emergency services'],
      affiliatedHealthSystem: 'SAMPLE HEALTH',
      tins: [12_345_678],
      inNetworkPayers: ['Aetna'],
      groupNpis: [1_000_000_046],
    }))

  it('are found by name, place, system, other name and number, several terms at once', () => {
    for (const term of [
      'sample med ctr',
      'jacksonvile general',
      'sample jacksonville',
      'sample health',
      '100001',
      '1000',
    ])
      expect(values(askHospitals({ searchTerms: [term] }))[0]).toBe('100001')
    expect(values(askHospitals({ searchTerms: ['st agnes', 'austin behav'] }))).toEqual(['100002', '45S033'])
    expect(values(askHospitals({ searchTerms: ['45s033'] }))).toEqual(['45S033'])
    expect(values(askHospitals({ ccn: '100002' }))).toEqual(['100002'])
    expect(values(askHospitals({ ccn: '100002', state: 'TX' }))).toEqual([])
  })

  it('carry the eight promised fields, and more when asked', () => {
    const [plain] = askHospitals({ searchTerms: ['sample medical'] })
    expect(plain).toEqual({
      value: '100001',
      ccn: '100001',
      title: 'SAMPLE MEDICAL CENTER, JACKSONVILLE, FL',
      grouping: 'SAMPLE HEALTH',
      name: 'SAMPLE MEDICAL CENTER',
      city: 'JACKSONVILLE',
      state: 'FL',
      affiliatedHealthSystem: 'SAMPLE HEALTH',
    })
    expect(
      askHospitals({ searchTerms: ['sample medical'], includeFields: ['bedCount', 'groupNpis'] })[0],
    ).toEqual({
      ...plain,
      bedCount: 300,
      groupNpis: [1_000_000_046],
    })
  })

  it('are listed by name when only filters are given', () =>
    expect(values(askHospitals({ states: ['FL', 'TX'] }))).toEqual(['45S033', '100002', '100001']))

  it('are suggested with three fields', () =>
    expect(askHospitals({ searchTerms: ['samp'], suggestionsOnly: true })).toEqual([
      { value: '100001', title: 'SAMPLE MEDICAL CENTER, JACKSONVILLE, FL', state: 'FL' },
    ]))

  it('tell pricing under which numbers they are paid', () =>
    expect(hospitalBilling(opened, ['100001', '999999'])).toEqual([
      { ccn: '100001', npis: [1_000_000_046], tins: [12_345_678] },
    ]))
})

describe('tins', () => {
  it('take the business name, else the name that most groups bear, else their own as an NPI', () =>
    expect(tins(opened, { tins: [12_345_678, 999, 123_456_789, 1_000_000_061] })).toEqual({
      tins: [
        { tin: 12_345_678, tinName: 'SAMPLE HEALTH INC', states: ['FL'], relatedGroupNpis: ['1000000046'] },
        {
          tin: 123_456_789,
          tinName: 'SAMPLE CARDIOLOGY LLC',
          states: ['FL'],
          relatedGroupNpis: ['1000000038'],
        },
        { tin: 1_000_000_061, tinName: 'RIVERSIDE CLINIC', states: [], relatedGroupNpis: ['1000000061'] },
      ],
    }))

  it('are found by name and number, and counted with NPIs the directory does not know', () => {
    expect(askTins({ searchTerm: 'sample cardiolgy' })[0]).toEqual({
      tinValue: 123_456_789,
      tinType: 'ein',
      tinName: 'SAMPLE CARDIOLOGY LLC',
      tinState: 'FL',
      taxonomyCodes: ['207R00000X', '207RC0000X'],
      relatedGroupNpis: ['1000000038'],
      numNpis: 3,
    })
    const found = (request: object) => askTins(request).map(({ tinValue }) => tinValue)
    expect(found({ searchTerm: '0123' })).toEqual([12_345_678])
    expect(found({ searchTerms: ['riverside', 'sample health'] })).toEqual([1_000_000_061, 12_345_678])
    expect(found({ tins: [12_345_678] })).toEqual([12_345_678])
    expect(found({ tinTypes: ['npi'] })).toEqual([1_000_000_061])
    expect(found({ searchTerm: 'FL', matchFields: ['tinState'] })).toHaveLength(2)
    expect(found({ searchTerm: '1000000038', matchFields: ['relatedGroupNpis'] })).toEqual([123_456_789])
    expect(found({ searchTerm: 'sample', states: ['TX'] })).toEqual([])
  })

  it('are suggested with three fields', () =>
    expect(askTins({ searchTerm: 'riv', suggestionsOnly: true })).toEqual([
      { value: 1_000_000_061, title: 'RIVERSIDE CLINIC', state: '' },
    ]))
})

describe('searchProviders', () => {
  it('finds all three kinds at once, or those asked for', () => {
    const all = searchProviders(opened, { providerName: 'sample medical center' })
    expect(all.npis[0]?.npi).toBe(1_000_000_046)
    expect(all.ccns[0]).toMatchObject({
      ccn: '100001',
      states: ['FL'],
      taxonomyCodes: ['282N00000X'],
      inNetworkPayers: ['Aetna'],
    })
    expect(searchProviders(opened, { providerName: 'sample', types: ['tin'] })).toMatchObject({
      npis: [],
      ccns: [],
    })
  })

  it('lists a specialty in a state', () => {
    const found = searchProviders(opened, { taxonomyCodes: ['282N00000X'], states: ['fl'] })
    expect(found.npis.map(({ npi }) => npi)).toEqual([1_000_000_046])
    expect(found.ccns.map(({ ccn }) => ccn)).toEqual(['100001'])
  })

  it('lists a state', () => {
    const found = searchProviders(opened, { states: ['FL'], limit: 3 })
    expect(found.npis.length).toBeGreaterThan(0)
    expect([...found.npis, ...found.tins, ...found.ccns].every(({ states }) => states.includes('FL'))).toBe(
      true,
    )
  })

  it('wants a name, a specialty or a state', () =>
    expect(() => searchProviders(opened, { types: ['npi'] })).toThrow('providerName'))
})
