import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publishedCodeTypes } from '../vocabulary/enums.ts'
import { normalCode, normalCodeType, normalModifiers, normalServiceCodes } from './codes.ts'

describe('a billing code', () => {
  it.each([
    ['MS-DRG', '0100', '', '100', ''],
    ['MS-DRG', '1', '', '001', ''],
    ['msdrg', '470', '', '470', ''],
    ['MS-DRG', 'CSTM-00', '', 'CSTM-00', ''],
    ['MS-DRG', '1234', '', '1234', ''],
    ['RC', '450', '', '0450', ''],
    ['RC', '0450', '', '0450', ''],
    ['RC', '00450', '', '0450', ''],
    ['APR-DRG', '139', '2', '139', '2'],
    ['APR-DRG', '1392', '', '139', '2'],
    ['APR-DRG', '139-2', '', '139', '2'],
    ['APR-DRG', '0139', '', '139', ''],
    ['APR-DRG', '0134', '', '013', '4'],
    ['APR-DRG', '0134', '2', '134', '2'],
    ['APR-DRG', '1390', '', '139', ''],
    ['APR DRG', '4', '1', '004', '1'],
    ['CPT', ' 99213 ', '', '99213', ''],
    ['HCPCS', 'j1745', '', 'J1745', ''],
    ['YC', 'x', '', 'X', ''],
  ])('%s %s %s is %s %s', (type, code, severity, normal, normalSeverity) => {
    expect(normalCode(type, code, severity)).toMatchObject({ code: normal, severity: normalSeverity })
  })

  it('keeps its form when it has it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...publishedCodeTypes),
        fc.oneof(fc.stringMatching(/^\d{1,6}$/), fc.string({ maxLength: 8 })),
        fc.constantFrom('', '1', '2', '3', '4'),
        (type, code, severity) => {
          const once = normalCode(type, code, severity)
          expect(normalCode(once.type, once.code, once.severity)).toEqual(once)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('belongs to a code system however it is spelt', () => {
    expect(['MSDRG', 'ms drg', 'MS_DRG', ' MS-DRG'].map(normalCodeType)).toEqual(Array(4).fill('MS-DRG'))
    expect(normalCodeType('cstm all')).toBe('CSTM-ALL')
    expect(normalCodeType('yc')).toBe('YC')
  })
})

describe('sets of small codes', () => {
  it('of service', () => {
    expect(normalServiceCodes(['11', '2', ' 02', '', '11'])).toEqual(['02', '11'])
    expect(normalServiceCodes(['cstm-00'])).toEqual(['CSTM-00'])
  })
  it('of modifiers', () => {
    expect(normalModifiers(['tc', '26', '26,59', ''])).toEqual(['26', '59', 'TC'])
  })
})
