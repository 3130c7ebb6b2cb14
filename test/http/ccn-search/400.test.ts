import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

refuses('ccnSearch', [
  ['eleven terms', { searchTerms: Array(11).fill('mercy') }, { searchTerms: 'at most 10' }],
  [
    'a term of 41 characters',
    { searchTerms: ['mercy', 'x'.repeat(41)] },
    { 'searchTerms[1]': 'at most 40 characters' },
  ],
  ['an unknown state', { state: 'XX' }, { state: expect.stringMatching(/^"XX" is not a state; nearest: /) }],
  [
    'unknown states',
    { states: ['FL', 'Florida'] },
    { 'states[1]': expect.stringMatching(/^"Florida" is not a state; nearest: /) },
  ],
  ['a wrong CCN', { ccn: '1' }, { ccn: expect.stringContaining('a CCN has six characters') }],
  ['a limit of 0', { limit: 0 }, { limit: 'at least 1' }],
  ['a limit of one and a half', { limit: 1.5 }, { limit: expect.stringContaining('expected int') }],
  [
    'a field of another operation',
    { includeFields: ['state'] },
    { 'includeFields[0]': expect.stringContaining('"state" is not a field') },
  ],
  [
    'an unknown property',
    { searchTerm: 'mercy' },
    { searchTerm: expect.stringMatching(/^unknown property; nearest: searchTerms, /) },
  ],
])
