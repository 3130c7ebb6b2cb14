import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

const digits = 'a TIN has up to nine digits, or ten where it is an NPI'

refuses('tins', [
  ['no TINs', {}, { tins: 'required' }],
  ['eleven TINs', { tins: Array(11).fill(123456789) }, { tins: 'at most 10' }],
  ['numbers that are none', { tins: [0, 12345678901] }, { 'tins[0]': digits, 'tins[1]': digits }],
  ['text for a number', { tins: ['12-3456789'] }, { 'tins[0]': 'expected number, received string' }],
  [
    'a wrong field',
    { tins: [1], includeFields: ['name'] },
    { 'includeFields[0]': '"name" is not a field; allowed: "tinName", "states", "relatedGroupNpis"' },
  ],
  [
    'an unknown property',
    { tins: [1], npis: [1] },
    { npis: expect.stringContaining('unknown property; nearest: tins') },
  ],
])
