import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

const npi = 1234567893
const tenDigits = 'an NPI has ten digits'

refuses('npis', [
  ['no NPIs', {}, { npis: 'required' }],
  ['eleven NPIs', { npis: Array(11).fill(npi) }, { npis: 'at most 10' }],
  [
    'numbers that are none',
    { npis: [npi, 123, 12345678930] },
    { 'npis[1]': tenDigits, 'npis[2]': tenDigits },
  ],
  ['text for a number', { npis: [String(npi)] }, { 'npis[0]': 'expected number, received string' }],
  [
    'an unknown field',
    { npis: [npi], includeFields: ['name', 'tinz'] },
    { 'includeFields[1]': '"tinz" is not a field; nearest: "tins", "counties", "entityType"' },
  ],
  [
    'several problems at once',
    { npis: [1], includeFields: ['x'], fields: ['name'], limit: 1 },
    {
      'npis[0]': tenDigits,
      'includeFields[0]': expect.stringContaining('"x" is not a field'),
      fields: 'unknown property; nearest: includeFields, npis',
      limit: expect.stringContaining('unknown property'),
    },
  ],
])
