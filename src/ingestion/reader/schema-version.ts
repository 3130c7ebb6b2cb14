/** Fields that only one version of the schema has, as far as a file holds them. */
export interface SchemaTraits {
  readonly networkNames: boolean
  readonly settings: boolean
  readonly groupsInRates: boolean
  readonly locations: boolean
}

/** What a file's fields say against the version that it names; undefined where they agree or it names none. */
export function versionDisagreement(version: string | undefined, traits: SchemaTraits): string | undefined {
  const named = /^\D*(\d+)/.exec(version ?? '')?.[1]
  const ofTwo = [traits.networkNames && 'network_name', traits.settings && 'setting']
  const ofOne = [traits.groupsInRates && 'provider_groups in rates', traits.locations && 'location']
  const against = (named === '1' ? ofTwo : named === '2' ? ofOne : []).filter((field) => field !== false)
  return against.length > 0 ? `version ${version} with ${against.join(' and ')}` : undefined
}
