import { expect } from 'vitest'
import { refuses } from '../../support/doors.ts'

refuses('payerPlans', [
  ['no payer', {}, { payer: 'payer is missing' }],
  [
    'a misspelt payer',
    { payer: 'Atena' },
    { payer: expect.stringMatching(/^"Atena" is not a payer; nearest: "Aetna", /) },
  ],
  ['a payer that is no text', { payer: 7 }, { payer: '7 is not a payer: expected text' }],
  ['an unknown property', { payer: 'Aetna', state: 'FL' }, { state: 'unknown property; nearest: payer' }],
  ['a list', [], { '': 'expected object, received array' }],
  ['null', null, { '': 'expected object, received null' }],
])
