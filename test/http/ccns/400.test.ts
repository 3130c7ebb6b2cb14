import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

refuses('ccns', [
  ['no CCNs', {}, { ccns: 'required' }],
  [
    'a CCN of five characters',
    { ccns: ['100001', '10001'] },
    { 'ccns[1]': expect.stringContaining('a CCN has six characters') },
  ],
  ['a number', { ccns: [100001] }, { 'ccns[0]': 'expected string, received number' }],
  ['1,001 CCNs', { ccns: Array(1_001).fill('100001') }, { ccns: 'at most 1,000' }],
  [
    'a wrong field',
    { ccns: [], includeFields: ['citty'] },
    { 'includeFields[0]': expect.stringMatching(/^"citty" is not a field; nearest: "city", /) },
  ],
  [
    'a wrong category',
    { ccns: [], ccnCategories: [null, 'Nowhere'] },
    { 'ccnCategories[1]': expect.stringContaining('"Nowhere" is not a') },
  ],
  [
    'an unknown property',
    { ccns: [], ccn: '1' },
    { ccn: expect.stringContaining('unknown property; nearest: ccns') },
  ],
])
