import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  AnyModifier,
  BillingClass,
  BillingCodeModifier,
  BillingCodeType,
  DirectoryEntityType,
  EntityType,
  NegotiatedType,
  publishedCodeTypes,
  ServiceCode,
  serviceCodeName,
  serviceCodes,
  State,
  states,
} from './enums.ts'
import { facilityPlaces } from './place-of-service-list.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

describe('states', () => {
  it('are the fifty of the document, DC and five territories', () => {
    const document =
      'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
    expect([...states]).toEqual([...document.split(' '), 'DC', 'AS', 'GU', 'MP', 'PR', 'VI'])
    expect(accepts(State, 'tx')).toBe(false)
  })
})

describe('service codes', () => {
  // The document writes 1-17, 19-27, 31-34, 41, 42, 49-58, 60-62, 65, 71, 72, 81, 99; CMS also uses 18 and 66.
  const numbers = [
    ...span(1, 27),
    ...span(31, 34),
    41,
    42,
    ...span(49, 58),
    ...span(60, 62),
    65,
    66,
    71,
    72,
    81,
    99,
  ]

  it('are those of the document, and 18 and 66', () => {
    const codes = numbers.map((number) => String(number).padStart(2, '0'))
    expect([...serviceCodes].sort()).toEqual([...codes, 'CSTM-00', 'none'].sort())
  })

  it('are two-digit text, whichever way they are sent', () => {
    for (const number of numbers) {
      const code = String(number).padStart(2, '0')
      expect([number, String(number), code].map((sent) => ServiceCode.parse(sent))).toEqual([
        code,
        code,
        code,
      ])
    }
    expect(ServiceCode.parse('2')).toBe('02')
    expect(ServiceCode.parse(2)).toBe('02')
    expect(ServiceCode.parse('CSTM-00')).toBe('CSTM-00')
    expect(ServiceCode.parse('none')).toBe('none')
  })

  it('refuses others, naming near ones', () => {
    for (const wrong of ['28', 28, '002', '', 2.5, -1, 0, '0', null, undefined, true, 'cstm-00'])
      expect(accepts(ServiceCode, wrong)).toBe(false)
    expect(ServiceCode.safeParse('28').error?.issues[0]?.message).toMatch(
      /^"28" is not a service code; nearest: /,
    )
  })

  it('each have a name', () => {
    expect(serviceCodeName('11')).toBe('Office')
    expect(serviceCodes.filter((code) => serviceCodeName(code).startsWith('Place of service'))).toEqual([])
    expect(serviceCodeName('28')).toBe('Place of service 28')
  })

  it('know where Medicare pays the facility amount', () => {
    expect([...facilityPlaces].sort().join(' ')).toBe('02 19 21 22 23 24 26 31 34 41 42 51 52 53 56 61')
  })
})

describe('the other words', () => {
  it('are those of the document', () => {
    expect(EntityType.options).toEqual(['individual', 'group'])
    expect(DirectoryEntityType.options).toEqual(['Individual', 'Group'])
    expect(BillingClass.options).toEqual(['professional', 'institutional'])
    expect(BillingCodeType.options).toEqual(['CPT', 'HCPCS', 'RC', 'MS-DRG', 'APR-DRG', 'LOCAL', 'CSTM-ALL'])
    expect(NegotiatedType.options).toEqual([
      'negotiated',
      'derived',
      'fee schedule',
      'percentage',
      'per diem',
    ])
    expect([...BillingCodeModifier.options].sort()).toEqual(['26', 'TC', 'none'])
  })

  it('keep all 17 code types that files may name', () => {
    const cms =
      'CPT HCPCS ICD MS-DRG R-DRG S-DRG APS-DRG AP-DRG APR-DRG APC NDC HIPPS LOCAL EAPG CDT RC CSTM-ALL'
    expect([...publishedCodeTypes].sort()).toEqual(cms.split(' ').sort())
  })

  it('let the tool server take any modifier', () => {
    for (const modifier of ['25', '59', 'LT', 'TC', '26', 'X1', 'none'])
      expect(accepts(AnyModifier, modifier)).toBe(true)
    for (const wrong of ['', '5', 'lt', 'LTX', 'None', 25]) expect(accepts(AnyModifier, wrong)).toBe(false)
  })
})
