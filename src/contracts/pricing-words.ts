const pricingWords =
  /(^|_)(pric(e|es|ing)|rates?|reimburse(s|d|ment)?|amounts?|percent(age)?|multiplier|conversion_factor|fee_schedules?|fees?|per_diem|discounts?|lesser_of|greater_of|markup|surcharge|payment_reduction|dollars?)(_|$)/
const pricingClause =
  /(^|_)(reimbursement_rules?|reimbursement|lesser_of|pric(e|ing)|rates?|fee_schedules?)(_|$)/

const folded = (text: string) =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9$%]+/g, '_')

/** Whether a type of clause or policy sets prices: reimbursement rules, lesser-of, fee schedules. */
export const isPricingType = (type: string) => pricingClause.test(folded(type))

/** Whether pricing stands anywhere in an effect: a key, or a short value such as a type's name, that speaks of price. */
export function pricingIn(details: unknown): boolean {
  return [...partsOf(details)].some(
    ({ key, value }) =>
      (key !== undefined && pricingWords.test(folded(key))) ||
      (typeof value === 'string' &&
        (/\$\s*\d|\d\s*%/.test(value) || (value.length <= shortText && pricingWords.test(folded(value))))),
  )
}

// A sentence may speak of "any rate" or of "the allowed period"; the name of a type or method is short.
const shortText = 60
const depthMost = 20

/** Whether an object is nested beyond all use, so deep that programs that walk it would fail. */
export const isNestedTooDeeply = (details: unknown) => partsOf(details).some(({ depth }) => depth > depthMost)

interface Part {
  readonly key: string | undefined
  readonly value: unknown
  readonly depth: number
}

/** Everything inside a value, without recursion. */
function* partsOf(details: unknown): Generator<Part, undefined> {
  const open: Part[] = [{ key: undefined, value: details, depth: 0 }]
  for (let part = open.pop(); part; part = open.pop()) {
    yield part
    const { value, depth } = part
    if (typeof value !== 'object' || value === null || depth > depthMost) continue
    for (const [key, inner] of Object.entries(value))
      open.push({ key: Array.isArray(value) ? undefined : key, value: inner, depth: depth + 1 })
  }
}
