/** A payer's in-network file, as far as rates need it. */
export interface PayerFile {
  readonly provider_references?: readonly {
    readonly provider_group_id: number
    readonly network_name?: readonly string[]
    readonly provider_groups: readonly ProviderGroup[]
  }[]
  readonly in_network: readonly {
    readonly billing_code_type: string
    readonly billing_code: string
    readonly severity_of_illness?: string
    readonly negotiated_rates: readonly {
      readonly provider_references?: readonly number[]
      readonly provider_groups?: readonly ProviderGroup[]
      readonly negotiated_prices: readonly NegotiatedPrice[]
    }[]
  }[]
}

export interface ProviderGroup {
  readonly npi: readonly number[]
  readonly tin: { readonly type: string; readonly value: string; readonly business_name?: string }
}

export interface NegotiatedPrice {
  readonly negotiated_type: string
  /** Dollars with at most four decimals. */
  readonly negotiated_rate: number
  readonly billing_class: string
  readonly setting?: string
  readonly service_code?: readonly string[]
  readonly billing_code_modifier?: readonly string[]
}

/** A file with what the table of contents says of it. */
export interface PublishedFile {
  readonly payer: string
  readonly month: number
  readonly digest: string
  readonly plans: readonly string[]
  readonly networks: readonly string[]
  readonly file: PayerFile
}
