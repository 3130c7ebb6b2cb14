import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelEdited, modelOf } from '../../test/support/contract-edit-model.ts'
import { Failure } from '../errors.ts'
import { type EditOperation, entityLists, fieldPaths } from '../operations/contract-edits.ts'
import { type ContractEntities, noEntities } from '../operations/contract-entities.ts'
import { editedEntities } from './edits.ts'

const basis = { evidenceIds: new Set(['e1']), isPayer: (payer: string) => payer === 'Aetna' }

function contract(): ContractEntities {
  const entities = noEntities()
  entities.parties.payers.push({ id: 'payer-1', name: 'Aetna Health Inc.', normalizedName: 'Aetna Health' })
  entities.contractScope.states.push({ id: 'state-1', value: 'Texas', normalizedValue: 'TX' })
  entities.providerContext.npis.push({ id: 'npi-1', value: '1234567893' })
  entities.providerContext.locations.push({ id: 'location-1', city: 'Austin', state: 'TX' })
  entities.contractTerms.clauses.push({
    id: 'clause-1',
    clauseType: 'without_cause',
    category: 'termination',
    value: 'Either party may terminate.',
    evidenceIds: ['e1'],
  })
  entities.paymentPolicies.push({
    id: 'policy-1',
    category: 'billing',
    policyType: 'balance_billing',
    applicability: {},
    rawText: 'No balance billing.',
    evidenceIds: ['e1'],
  })
  entities.pricingTerms.push({
    id: 'pricing-1',
    termType: 'per_diem',
    value: '$900 a day',
    evidenceIds: ['e1'],
  })
  entities.contractTerms.effectivePeriod = { start: '2024-01-01', end: '2025-12-31' }
  return entities
}

const operationOf = (operation: string, entityId: string, fieldPath: string, ...value: unknown[]) =>
  ({ operation, entityId, fieldPath, ...(value.length > 0 && { value: value[0] }) }) as EditOperation

const set = (entityId: string, fieldPath: string, ...value: unknown[]) =>
  operationOf('set', entityId, fieldPath, ...value)
const append = (fieldPath: string, ...value: unknown[]) =>
  operationOf('append_entity', 'root', fieldPath, ...value)

const edited = (...operations: EditOperation[]) => editedEntities(contract(), operations, basis)

function refusal(...operations: EditOperation[]): [string, unknown] {
  try {
    edited(...operations)
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.details.more?.['operationIndex']]
    throw error
  }
  return ['none', undefined]
}

const clause = {
  id: 'c',
  clauseType: 'notice',
  category: 'other',
  value: 'Notices in writing.',
  evidenceIds: [],
}
const policy = {
  id: 'p',
  category: 'billing',
  policyType: 'clean_claim',
  applicability: {},
  rawText: 'Clean claims.',
  evidenceIds: ['e1'],
}

describe('edits of contract entities', () => {
  it('sets fields of entities and of the contract itself, in order', () => {
    const after = edited(
      set('payer-1', 'name', 'Aetna Life, Inc.'),
      set('payer-1', 'payerpricePayer', 'Aetna'),
      set('clause-1', 'normalizedValue', 90),
      set('root', 'contractTerms.signedDate', '2024-02-29'),
      set('location-1', 'postalCode', '78701'),
    )
    expect(after.parties.payers).toEqual([
      { id: 'payer-1', name: 'Aetna Life, Inc.', normalizedName: 'Aetna Life', payerpricePayer: 'Aetna' },
    ])
    expect(after.contractTerms.clauses[0]?.normalizedValue).toBe(90)
    expect(after.contractTerms.signedDate).toBe('2024-02-29')
    expect(after.providerContext.locations[0]).toMatchObject({ city: 'Austin', postalCode: '78701' })
  })

  it('deletes, removes and appends; a removed id may come back', () => {
    const after = edited(
      operationOf('delete', 'location-1', 'city'),
      operationOf('delete', 'root', 'contractTerms.effectivePeriod.end'),
      operationOf('remove_entity', 'state-1', ''),
      append('contractScope.states', { id: 'state-1', value: 'Ohio', normalizedValue: 'OH' }),
      append('contractTerms.clauses', {
        ...clause,
        normalizedValue: true,
        applicability: { states: ['TX'] },
      }),
      append('paymentPolicies', {
        ...policy,
        sequence: 1,
        stacksWithPolicyIds: ['policy-1'],
        effect: { action: 'deny_claim' },
      }),
    )
    expect(after.providerContext.locations).toEqual([{ id: 'location-1', state: 'TX' }])
    expect(after.contractTerms.effectivePeriod).toEqual({ start: '2024-01-01', end: null })
    expect(after.contractScope.states).toEqual([{ id: 'state-1', value: 'Ohio', normalizedValue: 'OH' }])
    expect(after.contractTerms.clauses).toHaveLength(2)
    expect(after.paymentPolicies[1]).toMatchObject({ id: 'p', sequence: 1 })
  })

  it('leaves the given entities alone, also when it fails', () => {
    const before = contract()
    const operations = [set('payer-1', 'name', 'Other'), set('nobody', 'name', 'x')]
    expect(() => editedEntities(before, operations, basis)).toThrow(Failure)
    expect(before).toEqual(contract())
  })

  it.each<[string, EditOperation]>([
    ['invalid_operation', operationOf('replace', 'payer-1', 'name', 'x')],
    ['invalid_operation', operationOf('delete', 'location-1', 'city', 'x')],
    ['invalid_operation', operationOf('remove_entity', 'root', '')],
    ['invalid_operation', operationOf('remove_entity', 'state-1', 'value')],
    ['invalid_operation', operationOf('remove_entity', 'state-1', '', 'x')],
    ['invalid_operation', operationOf('append_entity', 'payer-1', 'parties.payers', { id: 'x', name: 'x' })],
    ['entity_not_found', set('nobody', 'name', 'x')],
    ['entity_not_found', operationOf('remove_entity', 'nobody', '')],
    ['unsupported_target', set('root', 'name', 'x')],
    ['unsupported_target', set('payer-1', 'contractTerms.signedDate', '2024-01-01')],
    ['unsupported_target', set('payer-1', 'value', 'x')],
    ['unsupported_target', set('payer-1', 'normalizedName', 'x')],
    ['unsupported_target', set('policy-1', 'category', 'other')],
    ['unsupported_target', append('contractTerms', {})],
    ['unsupported_target', append('__proto__', {})],
    ['required_value', set('payer-1', 'name')],
    ['required_value', set('payer-1', 'name', null)],
    ['required_value', operationOf('delete', 'payer-1', 'name')],
    ['required_value', operationOf('delete', 'policy-1', 'rawText')],
    ['required_value', append('parties.payers')],
    ['required_value', append('parties.payers', { id: 'x' })],
    ['required_value', append('contractTerms.clauses', { ...clause, value: undefined })],
    ['invalid_value', set('payer-1', 'name', '')],
    ['invalid_value', set('payer-1', 'name', 7)],
    ['invalid_value', set('payer-1', 'name', { first: 'x' })],
    ['invalid_value', set('payer-1', 'payerpricePayer', 'Nobody Health')],
    ['invalid_value', set('root', 'contractTerms.signedDate', '2023-02-29')],
    ['invalid_value', set('root', 'contractTerms.signedDate', true)],
    ['invalid_value', set('root', 'contractTerms.effectivePeriod.end', '2023-12-31')],
    ['invalid_value', set('npi-1', 'normalizedValue', '1234567890')],
    ['invalid_value', set('state-1', 'normalizedValue', 'Texas')],
    ['invalid_value', set('location-1', 'state', 'ZZ')],
    ['invalid_value', set('location-1', 'postalCode', '123')],
    ['invalid_value', append('parties.payers', 'Aetna')],
    ['invalid_value', append('parties.payers', ['Aetna'])],
    ['invalid_value', append('parties.payers', { id: 'x', name: 'x', confidence: 1 })],
    ['invalid_value', append('parties.payers', { id: 'root', name: 'x' })],
    ['invalid_value', append('contractTerms.clauses', { ...clause, category: 'weather' })],
    ['invalid_value', append('contractTerms.clauses', { ...clause, evidenceIds: ['e9'] })],
    ['invalid_value', append('paymentPolicies', { ...policy, sequence: 1.5 })],
    ['invalid_value', append('paymentPolicies', { ...policy, condition: deep(50) })],
    ['entity_id_conflict', append('contractScope.states', { id: 'payer-1', value: 'Ohio' })],
    ['entity_id_conflict', append('contractScope.states', { id: 'pricing-1', value: 'Ohio' })],
    ['pricing_not_editable', set('pricing-1', 'value', 'x')],
    ['pricing_not_editable', set('pricing-1', 'amount', 5)],
    ['pricing_not_editable', operationOf('remove_entity', 'pricing-1', '')],
    ['pricing_not_editable', append('pricingTerms', { id: 'x' })],
    ['pricing_not_editable', append('paymentPolicies', { ...policy, category: 'pricing_adjustment' })],
    [
      'pricing_not_editable',
      append('paymentPolicies', { ...policy, effect: { steps: [{ rateMultiplier: 0.5 }] } }),
    ],
    [
      'pricing_not_editable',
      append('paymentPolicies', { ...policy, effect: { type: 'Percent of Medicare' } }),
    ],
    [
      'pricing_not_editable',
      append('paymentPolicies', { ...policy, effect: { note: 'pays 50% of the second' } }),
    ],
    ['pricing_not_editable', append('paymentPolicies', { ...policy, policyType: 'fee-schedule' })],
    [
      'pricing_not_editable',
      append('contractTerms.clauses', { ...clause, clauseType: 'reimbursement_rule' }),
    ],
    ['pricing_not_editable', append('contractTerms.clauses', { ...clause, clauseType: 'Lesser-Of' })],
    ['pricing_not_editable', append('contractTerms.clauses', { ...clause, clauseType: 'lesserOf' })],
  ])('refuses with %s, and says which operation: %j', (code, operation) => {
    expect(refusal(operation)).toEqual([code, 0])
    expect(refusal(set('payer-1', 'name', 'first'), operation)).toEqual([code, 1])
  })

  it('bounds a list', () => {
    const entities = contract()
    for (let at = 0; at < 2_000; at++) entities.contractScope.plans.push({ id: `plan-${at}`, value: 'Plan' })
    expect(() =>
      editedEntities(entities, [append('contractScope.plans', { id: 'x', value: 'x' })], basis),
    ).toThrow('the most it can')
  })

  it('judges the effective period when the whole batch is applied', () => {
    const after = edited(
      set('root', 'contractTerms.effectivePeriod.start', '2030-01-01'),
      set('root', 'contractTerms.effectivePeriod.end', '2031-01-01'),
    )
    expect(after.contractTerms.effectivePeriod).toEqual({ start: '2030-01-01', end: '2031-01-01' })
  })
})

function deep(levels: number): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = { in: value }
  return value
}

describe('edits against a simple model', () => {
  const ids = [
    'payer-1',
    'state-1',
    'location-1',
    'clause-1',
    'policy-1',
    'pricing-1',
    'new-1',
    'new-2',
    'nobody',
    'root',
  ]
  const good: Record<string, unknown[]> = {
    payerpricePayer: ['Aetna'],
    state: ['TX', 'OH'],
    postalCode: ['78701', '78701-1234'],
    normalizedValue: ['TX', '123456789', '1234567893', '450193', '207Q00000X'],
    'contractTerms.signedDate': ['2024-02-29'],
    'contractTerms.effectivePeriod.start': ['2020-01-01', '2025-06-01', '2026-01-01'],
    'contractTerms.effectivePeriod.end': ['2024-06-30', '2026-12-31'],
    evidenceIds: [['e1'], []],
    applicability: [{}],
    category: ['other', 'authorization'],
  }
  /** Where the list says what a normalised value looks like: the one of them that it takes. */
  const identifiers: Record<string, string> = {
    'contractScope.states': 'TX',
    'providerContext.tins': '123456789',
    'providerContext.npis': '1234567893',
    'providerContext.ccns': '450193',
    'providerContext.taxonomies': '207Q00000X',
  }
  const bad: unknown[] = [7_000.5, { not: 'a value' }, '', ['x']]
  const isGood = (list: string, field: string, value: unknown) => {
    if (field === 'normalizedValue' && list in identifiers) return value === identifiers[list]
    const known = good[field]
    if (known) return known.some((one) => JSON.stringify(one) === JSON.stringify(value))
    return typeof value === 'string' && value !== ''
  }
  /** What some kinds of entity take and others do not; the model does not tell them apart, so it is not asked. */
  const mayBeGood = (field: string, value: unknown) =>
    (field === 'normalizedValue' && typeof value === 'number') ||
    (field === 'applicability' && typeof value === 'object' && !Array.isArray(value))
  const valueFor = (field: string) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...(good[field] ?? ['Some text', 'Other text'])) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...bad.filter((value) => !isGood('any', field, value) && !mayBeGood(field, value)),
        ),
      },
    )
  const fieldOperation = fc
    .tuple(
      fc.constantFrom('set', 'set', 'delete', 'fold'),
      fc.constantFrom(...ids),
      fc.constantFrom(...fieldPaths, 'pricingTerms', 'nonsense'),
    )
    .chain(([operation, entityId, fieldPath]) =>
      fc
        .option(valueFor(fieldPath), { nil: undefined, freq: operation === 'delete' ? 1 : 6 })
        .map((value) => ({ operation, entityId, fieldPath, ...(value !== undefined && { value }) })),
    )
  // Reaches the entity's own fields far more often than chance would.
  const fitting = fc
    .constantFrom(
      ['payer-1', 'payerpricePayer'],
      ['state-1', 'value'],
      ['location-1', 'postalCode'],
      ['location-1', 'state'],
      ['clause-1', 'value'],
      ['policy-1', 'rawText'],
      ['root', 'contractTerms.signedDate'],
      ['root', 'contractTerms.effectivePeriod.start'],
      ['root', 'contractTerms.effectivePeriod.end'],
      ['root', 'contractTerms.executionStatus'],
    )
    .chain(([entityId = '', fieldPath = '']) =>
      fc.oneof(
        valueFor(fieldPath).map((value) => ({ operation: 'set', entityId, fieldPath, value })),
        fc.constant({ operation: 'delete', entityId, fieldPath }),
      ),
    )
  const removal = fc.record({
    operation: fc.constant('remove_entity'),
    entityId: fc.constantFrom(...ids),
    fieldPath: fc.constantFrom('', '', '', 'value'),
  })
  const shapes: Record<string, string[]> = {
    party: ['name', 'payerpricePayer', 'evidenceIds'],
    scope: ['value', 'evidenceIds'],
    location: ['city', 'state', 'postalCode'],
    clause: ['clauseType', 'category', 'value', 'evidenceIds'],
    policy: ['category', 'policyType', 'applicability', 'rawText', 'evidenceIds'],
  }
  const appending = fc.constantFrom(...Object.entries(entityLists)).chain(([fieldPath, kind]) =>
    fc
      .tuple(
        fc.constantFrom('new-1', 'new-2', 'payer-1'),
        fc.record(Object.fromEntries(shapes[kind]!.map((field) => [field, valueFor(field)]))),
        fc.option(fc.constantFrom(...shapes[kind]!), { nil: undefined, freq: 8 }),
        fc.boolean(),
      )
      .map(([id, fields, without, pricing]) => {
        const value: Record<string, unknown> = { id, ...fields }
        if (without) delete value[without]
        if (pricing && id === 'new-2' && kind === 'policy') value['category'] = 'pricing_adjustment'
        if (pricing && id === 'new-2' && kind === 'clause') value['clauseType'] = 'lesser_of'
        return { operation: 'append_entity', entityId: 'root', fieldPath, value }
      }),
  )
  const operations = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fitting },
      { weight: 2, arbitrary: appending },
      { weight: 1, arbitrary: removal },
      { weight: 1, arbitrary: fieldOperation },
    ),
    { minLength: 1, maxLength: 12 },
  )

  it('agrees with the model on state, code and place, and reaches every code', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(operations, (batch) => {
        const before = contract()
        // The model knows nothing of normalised names, which follow the name by themselves.
        delete before.parties.payers[0]!.normalizedName
        const expected = modelEdited(modelOf(before), batch, isGood)
        let actual: unknown
        try {
          actual = sorted(modelOf(editedEntities(before, batch, basis)))
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          actual = { code: error.code, operationIndex: error.details.more?.['operationIndex'] }
        }
        reached.add('code' in expected ? expected.code : 'applied')
        expect(actual).toEqual('code' in expected ? expected : sorted(expected))
      }),
      { numRuns: 3_000 },
    )
    expect([...reached].sort()).toEqual([
      'applied',
      'entity_id_conflict',
      'entity_not_found',
      'invalid_operation',
      'invalid_value',
      'pricing_not_editable',
      'required_value',
      'unsupported_target',
    ])
  })

  const sorted = (model: ReturnType<typeof modelOf>) => ({
    ...model,
    records: [...model.records].sort((a, b) =>
      `${a.list} ${String(a.fields['id'])}` < `${b.list} ${String(b.fields['id'])}` ? -1 : 1,
    ),
  })
})
