import type { ProviderAttributes } from '../warehouse/provider-attributes.ts'
import { zipText } from '../warehouse/provider-attributes.ts'
import type { MedicareAmounts } from './baseline.ts'
import type { GroupValues, ProviderField } from './groups.ts'

/** The Medicare locality of every provider in a year, looked up when first asked. 0 = none. */
class Localities {
  private readonly attributes: ProviderAttributes
  private readonly medicare: MedicareAmounts
  private readonly year: number
  /** Locality number plus one per provider, plus one more once known: 0 = not looked up, 1 = none. */
  private readonly known: Uint32Array

  constructor(attributes: ProviderAttributes, medicare: MedicareAmounts, year: number) {
    this.attributes = attributes
    this.medicare = medicare
    this.year = year
    this.known = new Uint32Array(attributes.size)
  }

  of(rank: number): number {
    let known = this.known[rank]!
    if (known === 0) {
      const { zip, state, states } = this.attributes
      const locality = this.medicare.locality(this.year, zipText(zip[rank]!), states[state[rank]!]!)
      known = this.known[rank] = locality === undefined ? 1 : locality + 2
    }
    return known - 1
  }
}

const kept = new WeakMap<MedicareAmounts, WeakMap<ProviderAttributes, Map<number, Localities>>>()

function localities(attributes: ProviderAttributes, medicare: MedicareAmounts, year: number): Localities {
  let byAttributes = kept.get(medicare)
  if (!byAttributes) kept.set(medicare, (byAttributes = new WeakMap()))
  let byYear = byAttributes.get(attributes)
  if (!byYear) byAttributes.set(attributes, (byYear = new Map()))
  let found = byYear.get(year)
  if (!found) byYear.set(year, (found = new Localities(attributes, medicare, year)))
  return found
}

const localityRoom = 0x10_0000

/** Splits providers by the directory fields of a grouping, and by Medicare locality where rates are compared. */
export class ProviderKeys {
  private readonly attributes: ProviderAttributes
  private readonly fields: ReadonlySet<ProviderField>
  private readonly places: Localities | undefined

  constructor(
    attributes: ProviderAttributes,
    fields: readonly ProviderField[],
    compared?: { readonly medicare: MedicareAmounts; readonly year: number },
  ) {
    this.attributes = attributes
    this.fields = new Set(fields)
    this.places = compared && localities(attributes, compared.medicare, compared.year)
  }

  /** A number that providers share when they belong together. */
  keyOf(rank: number): number {
    const { attributes, fields } = this
    const state = fields.has('npiState') ? attributes.state[rank]! : 0
    const taxonomy = fields.has('taxonomyCode') ? attributes.taxonomy[rank]! : 0
    const entityType = fields.has('entityType') ? attributes.entityType[rank]! : 0
    const group = (state * 0x1_0000 + taxonomy) * 4 + entityType
    return this.places ? group * localityRoom + this.places.of(rank) : group
  }

  groupOf(key: number): number {
    return this.places ? Math.floor(key / localityRoom) : key
  }

  /** The locality that Medicare was asked with; undefined = none. */
  localityOf(key: number): number | undefined {
    const locality = this.places ? key % localityRoom : 0
    return locality === 0 ? undefined : locality - 1
  }

  values(group: number): GroupValues {
    const { attributes, fields } = this
    const entityType = group % 4
    const rest = (group - entityType) / 4
    return {
      ...(fields.has('npiState') && { npiState: attributes.states[Math.floor(rest / 0x1_0000)]! }),
      ...(fields.has('taxonomyCode') && { taxonomyCode: attributes.taxonomies[rest % 0x1_0000]! }),
      ...(fields.has('entityType') && { entityType: attributes.entityTypes[entityType]! }),
    }
  }
}
