import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ccnStates } from './ccn-states.ts'
import {
  categoryOfFacilityType,
  ccnCategories,
  ccnFacilityTypes,
  CcnFacilityType,
  ccnFromText,
  ccnParts,
  facilityTypeOfHospitalType,
} from './ccn.ts'
import { states } from './enums.ts'
import { Ccn } from './identifiers.ts'

const realData = process.env.RATEBOOK_REAL_DATA ?? join(import.meta.dirname, '../../../shared/data')
const hospitalList = join(realData, 'hospitals/Hospital_General_Information_2026-02.csv')
const enrolments = join(realData, 'hospitals/pecos_hospital_enrollments_2025-10.csv')
const ssaStates = join(realData, 'geography/terminology__ssa_fips_state.csv')

describe('what the places of a CCN say', () => {
  it.each([
    ['670055', 'TX', 'Short-term acute', 'Hospital'],
    ['050454', 'CA', 'Short-term acute', 'Hospital'],
    ['450880', 'TX', 'Short-term acute', 'Hospital'],
    ['251339', 'MS', 'Critical access', 'Hospital'],
    ['A52001', 'MS', 'Long-term care', 'Hospital'],
    ['443030', 'TN', 'Rehabilitation', 'Hospital'],
    ['053300', 'CA', "Children's", 'Hospital'],
    ['104000', 'FL', 'Psychiatric', 'Hospital'],
    ['C11990', 'FL', 'Religious non-medical', 'Hospital'],
    ['681400', 'FL', 'Community mental health center', 'Clinic'],
    ['451000', 'TX', 'Federally qualified health center', 'Clinic'],
    ['453400', 'TX', 'Rural health clinic', 'Clinic'],
    ['458900', 'TX', 'Rural health clinic', 'Clinic'],
    ['453200', 'TX', 'Comprehensive outpatient rehabilitation', 'Clinic'],
    ['456500', 'TX', 'Outpatient physical therapy', 'Clinic'],
    ['459900', 'TX', 'Opioid treatment program', 'Clinic'],
    ['452300', 'TX', 'Dialysis facility', 'Dialysis'],
    ['453500', 'TX', 'Dialysis facility', 'Dialysis'],
    ['747000', 'TX', 'Home health agency', 'Home health'],
    ['459000', 'TX', 'Home health agency', 'Home health'],
    ['551500', 'CA', 'Hospice', 'Hospice'],
    ['675000', 'TX', 'Skilled nursing facility', 'Skilled nursing'],
    ['459800', 'TX', 'Transplant center', 'Other'],
    ['05P001', 'CA', 'Organ procurement', 'Other'],
    ['456990', 'TX', 'Reserved', 'Other'],
    ['450000', 'TX', 'Reserved', 'Other'],
  ])('%s: %s, %s', (ccn, state, facilityType, category) => {
    expect(ccnParts(ccn)).toEqual({ stateCode: ccn.slice(0, 2), state, facilityType, category })
  })

  it.each([
    ['45S033', 'Psychiatric unit', '450033'],
    ['21T101', 'Rehabilitation unit', '210101'],
    ['21U101', 'Swing beds', '210101'],
    ['25M339', 'Psychiatric unit', '251339'],
    ['04R334', 'Rehabilitation unit', '041334'],
    ['67Z304', 'Swing beds', '671304'],
    ['19W022', 'Swing beds', '192022'],
    ['44Y030', 'Swing beds', '443030'],
    ['21TA26', 'Rehabilitation unit', '212026'],
    ['45SB14', 'Psychiatric unit', '452114'],
    ['04SD38', 'Psychiatric unit', '043038'],
    ['49SE01', 'Psychiatric unit', '493301'],
    ['21TK07', 'Rehabilitation unit', '214407'],
  ])('%s: %s of %s', (ccn, facilityType, hospital) => {
    expect(ccnParts(ccn)).toMatchObject({ facilityType, category: 'Unit', hospital })
  })

  it('knows hospitals that Medicare pays for emergencies only', () => {
    expect(ccnParts('01014F')).toMatchObject({ state: 'AL', facilityType: 'Federal', emergency: 'federal' })
    expect(ccnParts('21034E')).toMatchObject({ facilityType: 'Emergency only', emergency: 'non-federal' })
  })

  it('knows those that only Medicaid certifies', () => {
    const typed = (ccn: string) => [ccnParts(ccn)?.facilityType, ccnParts(ccn)?.medicaidOnly]
    expect(typed('01J008')).toEqual(['Short-term acute', true])
    expect(typed('01J150')).toEqual(["Children's", true])
    expect(typed('01J299')).toEqual(["Children's psychiatric", true])
    expect(typed('01J599')).toEqual(['Long-term care', true])
    expect(typed('01L008')).toEqual(['Psychiatric residential treatment', true])
    expect(typed('01A008')).toEqual(['Nursing facility', true])
    expect(typed('01G008')).toEqual(['Intermediate care facility', true])
    expect(typed('01K008')).toEqual(['Home health agency', true])
  })

  it('leaves the state open where the code is foreign or new', () => {
    expect(ccnParts('560001')).toEqual({
      stateCode: '56',
      facilityType: 'Short-term acute',
      category: 'Hospital',
    })
    expect(ccnParts('F90001')?.state).toBeUndefined()
  })

  it.each([
    '',
    '50454',
    '0504544',
    '05 454',
    '05045a',
    '05Q001',
    '05X001',
    '05TI26',
    '05UA26',
    'AA0001',
    '0504XX',
  ])('"%s" is none', (text) => expect(ccnParts(text)).toBeUndefined())

  it('answers only words of the two lists, for every number a state can give', () => {
    const types = new Set<string>()
    for (let number = 0; number < 10_000; number++) {
      const parts = ccnParts(`45${String(number).padStart(4, '0')}`)
      expect(parts && categoryOfFacilityType(parts.facilityType)).toBe(parts?.category)
      types.add(parts?.facilityType ?? '')
    }
    expect([...types].filter((type) => !(ccnFacilityTypes as string[]).includes(type))).toEqual([])
    expect(ccnFacilityTypes.map(categoryOfFacilityType).filter((c) => !ccnCategories.includes(c))).toEqual([])
    expect(CcnFacilityType.safeParse('Psychiatrics').error?.issues[0]?.message).toContain(
      'nearest: "Psychiatric"',
    )
  })

  it('never throws, and reads nothing that the interface refuses', () => {
    const near = fc.stringMatching(/^[0-9A-Z]{5,7}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        expect(!ccnParts(text) || Ccn.safeParse(text).success).toBe(true)
      }),
    )
  })
})

it('reads a CCN out of a list’s text, without its campus', () => {
  expect(ccnFromText(' 05015f ')).toBe('05015F')
  expect(ccnFromText('220083A')).toBe('220083')
  expect(ccnFromText('330125001')).toBe('330125')
  expect(ccnFromText('30S020A')).toBe('30S020')
  expect(ccnFromText('50454')).toBeUndefined()
  expect(ccnFromText('45D0634589')).toBeUndefined()
})

it('has a code for every state and territory, and none twice', () => {
  expect([...new Set(ccnStates.values())].sort()).toEqual([...states].sort())
  expect(ccnStates.size).toBe(114)
})

/** Rows of a csv whose values hold commas inside double quotes; none where the file is absent. */
const rowsOf = (path: string) =>
  (existsSync(path) ? readFileSync(path, 'latin1') : '')
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      ),
    )

describe.skipIf(!existsSync(hospitalList))(
  'CMS’s own lists (skipped where RATEBOOK_REAL_DATA is absent)',
  () => {
    const [header = [], ...hospitals] = rowsOf(hospitalList)
    const column = (name: string) => header.indexOf(name)
    const [id, state, type] = [column('Facility ID'), column('State'), column('Hospital Type')]

    it('agree with every hospital’s state', () => {
      expect(hospitals).toHaveLength(5421)
      expect(hospitals.filter((row) => ccnParts(row[id] ?? '')?.state !== row[state])).toEqual([])
      expect(hospitals.filter((row) => !Ccn.safeParse(row[id]).success)).toEqual([])
    })

    it('agree with every hospital’s type, but that rural emergency hospitals keep short-term numbers', () => {
      const differ = hospitals.filter((row) => {
        const listed = facilityTypeOfHospitalType(row[type] ?? '')
        const expected = listed === 'Rural emergency' ? 'Short-term acute' : listed
        return !expected || ccnParts(row[id] ?? '')?.facilityType !== expected
      })
      expect(differ).toEqual([])
    })

    it.skipIf(!existsSync(enrolments))('hold the hospital that a unit’s number points at', () => {
      const [names = [], ...rows] = rowsOf(enrolments)
      const ccns = rows.map((row) => ccnFromText(row[names.indexOf('ccn')] ?? ''))
      const listed = new Set([...ccns, ...hospitals.map((row) => row[id])])
      const units = [...new Set(ccns)].flatMap((ccn) => (ccn && ccnParts(ccn)?.hospital) ?? [])
      const found = units.filter((hospital) => listed.has(hospital)).length
      expect(ccns.filter((ccn) => !ccn || !ccnParts(ccn))).toEqual([])
      expect(units.length).toBeGreaterThan(2500)
      expect(found / units.length).toBeGreaterThan(0.99)
    })

    it.skipIf(!existsSync(ssaStates))('agree with the SSA state codes of the fifty states', () => {
      const [, ...rows] = rowsOf(ssaStates)
      const first = rows.filter(([code = '']) => Number(code) <= 53)
      expect(first).toHaveLength(53)
      expect(first.filter(([code = '']) => !ccnStates.has(code))).toEqual([])
      const [texas, florida] = ['Texas', 'Florida'].map((name) =>
        rows.filter(([, text = '']) => text.startsWith(name)).map(([code = '']) => ccnStates.get(code)),
      )
      expect(new Set(texas)).toEqual(new Set(['TX']))
      expect(new Set(florida)).toEqual(new Set(['FL']))
    })
  },
)
