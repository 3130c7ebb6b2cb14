import { z } from 'zod'
import { notAllowed } from './choice.ts'
import { taxonomyList } from './taxonomy-list.ts'

/** A specialty of the NUCC Health Care Provider Taxonomy. */
export interface Taxonomy {
  readonly code: string
  readonly name: string
  readonly grouping: string
  readonly classification: string
  readonly specialization: string
}

/** All codes of the set that ships with the product, in the set's order. */
export const taxonomies: readonly Taxonomy[] = taxonomyList.map(
  ([code, name, grouping, classification, specialization]) => ({
    code,
    name,
    grouping,
    classification,
    specialization,
  }),
)

const byCode = new Map(taxonomies.map((taxonomy) => [taxonomy.code, taxonomy]))

export const taxonomyOf = (code: string) => byCode.get(code)

const codes = taxonomies.map(({ code }) => code)

export const TaxonomyCode = z
  .string({ error: (issue) => notAllowed('taxonomy code', issue.input, codes) })
  .refine((code) => byCode.has(code), { error: (issue) => notAllowed('taxonomy code', issue.input, codes) })
  .describe('NUCC provider taxonomy code, ten characters, of the fixed list')
  .meta({
    examples: ['207RC0000X'],
    jsonSchema: { type: 'string', pattern: '^[0-9A-Z]{9}X$', minLength: 10, maxLength: 10 },
  })
