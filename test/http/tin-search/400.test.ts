import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

refuses('tinSearch', [
  [
    'one term and several',
    { searchTerm: 'mercy', searchTerms: ['mercy'] },
    { searchTerms: 'use searchTerm or searchTerms, not both' },
  ],
  ['a wrong TIN', { tins: [1.5] }, { 'tins[0]': expect.stringContaining('expected int') }],
  [
    'a wrong TIN type',
    { tinTypes: ['EIN'] },
    { 'tinTypes[0]': '"EIN" is not a TIN type; allowed: "ein", "npi"' },
  ],
  ['a state of one letter', { states: ['F'] }, { 'states[0]': 'a state has two letters' }],
  [
    'a wrong field',
    { includeFields: ['value'] },
    { 'includeFields[0]': expect.stringMatching(/^"value" is not a field; allowed: "tinValue", /) },
  ],
  ['a term of 201 letters', { searchTerm: 'x'.repeat(201) }, { searchTerm: 'at most 200 characters' }],
  ['a limit of -1', { limit: -1 }, { limit: 'at least 1' }],
  ['an unknown property', { tin: 1 }, { tin: expect.stringContaining('unknown property; nearest: tins') }],
])
