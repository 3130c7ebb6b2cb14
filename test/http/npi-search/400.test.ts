import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

const many = (count: number, value: string) => Array(count).fill(value)

refuses('npiSearch', [
  ['a term of 41 characters', { searchTerm: 'x'.repeat(41) }, { searchTerm: 'at most 40 characters' }],
  ['no match field', { matchFields: [] }, { matchFields: expect.stringMatching(/>=1|at least/) }],
  ['five match fields', { matchFields: many(5, 'tins') }, { matchFields: 'at most 4' }],
  [
    'a wrong match field',
    { matchFields: ['name'] },
    { 'matchFields[0]': '"name" is not a match field; allowed: "displayName", "ccns", "otherName", "tins"' },
  ],
  ['eleven specialties', { taxonomyCodes: many(11, '207RC0000X') }, { taxonomyCodes: 'at most 10' }],
  ['six states', { states: many(6, 'FL') }, { states: 'at most 5' }],
  ['a state of three letters', { states: ['FL', 'FLA'] }, { 'states[1]': 'a state has two letters' }],
  ['eleven counties', { counties: many(11, 'Dade') }, { counties: 'at most 10' }],
  ['three entity types', { entityTypes: many(3, 'Group') }, { entityTypes: 'at most 2' }],
  [
    'an entity type in lower case',
    { entityTypes: ['group'] },
    {
      'entityTypes[0]': expect.stringContaining(
        '"group" is not an entity type; allowed: "Individual", "Group"',
      ),
    },
  ],
  ['two payers', { inNetworkPayers: ['Aetna', 'Cigna'] }, { inNetworkPayers: 'at most 1' }],
  ['a limit of 0', { limit: 0 }, { limit: 'at least 1' }],
  ['a limit in text', { limit: '5' }, { limit: 'expected number, received string' }],
  [
    'a misspelt filter',
    { stats: ['FL'] },
    { stats: expect.stringMatching(/^unknown property; nearest: states, /) },
  ],
])
