import { z } from 'zod'
import { choice } from '../vocabulary/choice.ts'

/** Operators that compare a column with a value. */
export const comparingOperators = [
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN_OR_EQUAL',
  'CONTAINS',
  'NOT_CONTAINS',
  'MATCH_WORDS',
] as const
export type ComparingOperator = (typeof comparingOperators)[number]

/** Operators that only ask whether there is a value. */
export const nullOperators = ['IS_NULL', 'IS_NOT_NULL'] as const

export const filterOperators = [...comparingOperators, ...nullOperators] as const
export type FilterOperator = (typeof filterOperators)[number]

/** How deep groups may stand in groups, and how many filters and groups a tree may hold. */
export const filterDepthMost = 10
export const filtersMost = 500
const valueLengthMost = 1_000

const field = z
  .string()
  .min(1)
  .max(100)
  .describe('Column of the report')
  .meta({ examples: ['payer'] })

const Comparison = z
  .strictObject({
    op: choice('filter operator', comparingOperators),
    field,
    value: z
      .union([z.string().max(valueLengthMost, 'at most 1,000 characters'), z.number(), z.boolean()], {
        error: 'expected text, a number or true/false; not a list, not null',
      })
      .describe('What the column is compared with: text, a number, true or false'),
  })
  .describe('A column compared with a value')
const NullTest = z
  .strictObject({ op: choice('filter operator', nullOperators), field })
  .describe('Whether a column has a value; takes no value itself')

export type ReportFilter = z.infer<typeof Comparison> | z.infer<typeof NullTest>
export interface ReportFilterGroup {
  op: 'AND' | 'OR'
  filters: (ReportFilter | ReportFilterGroup)[]
}

const Group: z.ZodType<ReportFilterGroup, ReportFilterGroup> = z
  .strictObject({
    op: choice('group operator', ['AND', 'OR']),
    get filters() {
      return z.array(Member)
    },
  })
  .describe('Filters joined by AND or OR; an empty list means no filter')
  .meta({ id: 'ReportFilterGroup' })
const Member: z.ZodType<ReportFilter | ReportFilterGroup, ReportFilter | ReportFilterGroup> =
  z.discriminatedUnion(
    'op',
    [Comparison, NullTest, Group as unknown as z.ZodObject<{ op: z.ZodEnum<{ AND: 'AND'; OR: 'OR' }> }>],
    { error: `op: one of AND, OR, ${filterOperators.join(', ')}` },
  ) as never

/**
 * A tree of filters over the columns of a report. Depth and size are looked at before anything else:
 * a tree of a hundred thousand levels would exhaust the stack of whoever walks it.
 */
export const ReportFilterTree = z
  .preprocess((sent, context) => {
    const { depth, filters } = sizeOf(sent)
    if (depth > filterDepthMost)
      context.issues.push({
        code: 'custom',
        input: sent,
        message: `groups stand at most ${filterDepthMost} deep`,
      })
    if (filters > filtersMost)
      context.issues.push({ code: 'custom', input: sent, message: `at most ${filtersMost} filters` })
    return sent
  }, Group)
  .describe(
    `Filter tree over the report's columns, at most ${filterDepthMost} levels and ${filtersMost} filters. Fields need not be among the aggregated columns`,
  )

/** Levels of groups, and members at all levels; stops counting beyond the bounds. */
function sizeOf(sent: unknown): { depth: number; filters: number } {
  let level: unknown[] = [sent]
  let depth = 0
  let filters = 0
  while (level.length > 0 && depth <= filterDepthMost && filters <= filtersMost) {
    const members = level.flatMap((member) => membersOf(member) ?? [])
    if (!level.some((member) => membersOf(member) !== undefined)) break
    depth++
    filters += members.length
    level = members
  }
  return { depth, filters }
}

const membersOf = (sent: unknown): unknown[] | undefined => {
  if (typeof sent !== 'object' || sent === null || !('filters' in sent)) return undefined
  return Array.isArray(sent.filters) ? sent.filters : undefined
}

/** Whether a member of a group is a group itself. */
export const isGroup = (member: ReportFilter | ReportFilterGroup): member is ReportFilterGroup =>
  'filters' in member
