import { expect, it } from 'vitest'
import { GroupByField, ProviderGroupByField } from './grouping.ts'

const document =
  'payer npiState taxonomyCode entityType negotiatedType billingClass billingCodeType billingCode billingCodeGroup billingCodeSubgroup serviceCode billingCodeModifier network'.split(
    ' ',
  )

it('market answers are grouped by the 13 fields of the document', () => {
  expect(GroupByField.options).toEqual(document)
  expect(GroupByField.safeParse('planName').success).toBe(false)
})

it('provider rates by those and planName', () =>
  expect(ProviderGroupByField.options).toEqual([...document, 'planName']))

it('a misspelt field is told its neighbour', () => {
  expect(GroupByField.safeParse('billingcode').error?.issues[0]?.message).toContain('nearest: "billingCode"')
})
