import type { ProviderAttributes } from '../warehouse/provider-attributes.ts'
import type { MedicareAmounts } from './baseline.ts'
import { questionHash } from './cursor.ts'
import type { PricingSources } from './sources.ts'

/** The reference data beside the rates. Each is asked per question, so that a reload is noticed. */
export interface PricingReferences {
  readonly attributes: () => Promise<ProviderAttributes>
  /** Names the loaded Medicare tables and code groups. */
  readonly version?: () => Promise<string>
  /** The same object for the same loaded tables: localities are remembered by it. */
  readonly medicare?: (year: number) => Promise<MedicareAmounts | undefined>
  readonly codeGroup?: () => Promise<PricingSources['codeGroup']>
  readonly hospitalNpis?: (ccns: readonly string[]) => Promise<ReadonlyMap<string, readonly number[]>>
}

/** What a question needs of them beyond the attributes of providers. */
export interface ReferencesAsked {
  readonly medicareYear?: number | undefined
  readonly ccns?: readonly string[] | undefined
}

/** The reference data of one question, as they are at this moment. */
export interface HeldReferences extends Omit<PricingSources, 'snapshot'> {
  /** Equal for equal reference data: an answer is not used beyond it. */
  readonly id: string
}

/** Takes hold of the reference data, so that a question sees one state of them from its beginning to its end. */
export async function heldReferences(
  references: PricingReferences,
  { medicareYear, ccns = [] }: ReferencesAsked = {},
): Promise<HeldReferences> {
  const [attributes, version, codeGroup, medicare, hospitals] = await Promise.all([
    references.attributes(),
    references.version?.(),
    references.codeGroup?.(),
    medicareYear === undefined ? undefined : references.medicare?.(medicareYear),
    ccns.length === 0 ? undefined : references.hospitalNpis?.(ccns),
  ])
  return {
    id: questionHash([attributes.id, version, hospitals && [...hospitals]]),
    attributes,
    ...(medicare && { medicare }),
    ...(codeGroup && { codeGroup }),
    ...(hospitals && { hospitalNpis: (ccn: string) => hospitals.get(ccn) ?? [] }),
  }
}
