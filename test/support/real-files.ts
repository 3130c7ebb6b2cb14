import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { PayerFile, ProviderGroup } from './payer-file.ts'

/** Where real payer files lie, if this machine has them. */
export const realPayerFiles = join(
  process.env['RATEBOOK_REAL_DATA'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data'),
  'payer-files',
)

export const realFileNames = existsSync(realPayerFiles)
  ? readdirSync(realPayerFiles).filter((name) => name.endsWith('.json.gz'))
  : []

export const realFileBytes = (name: string) => gunzipSync(readFileSync(join(realPayerFiles, name)))

/** Files as they really are: numbers come as text, lists are missing. */
type Loose = string | number
interface LooseGroup {
  readonly npi: readonly Loose[]
  readonly tin: { readonly type: string; readonly value: Loose }
}
export interface LooseFile {
  readonly provider_references?: readonly {
    readonly provider_group_id: number
    readonly provider_groups?: readonly LooseGroup[]
  }[]
  readonly in_network: readonly {
    readonly billing_code_type: string
    readonly billing_code: Loose
    readonly negotiated_rates: readonly {
      readonly provider_references?: readonly number[]
      readonly provider_groups?: readonly LooseGroup[]
      readonly negotiated_prices: readonly {
        readonly negotiated_type: string
        readonly negotiated_rate: Loose
        readonly billing_class?: string
        readonly setting?: string
        readonly service_code?: readonly Loose[]
        readonly billing_code_modifier?: readonly string[]
      }[]
    }[]
  }[]
}

/** A published file with its words in the form that entries have: what the reader's documentation says, done by hand. */
export function normalFile(published: LooseFile): PayerFile {
  const group = ({ npi, tin }: LooseGroup): ProviderGroup => ({
    npi: npi
      .map(Number)
      .filter((value) => (npi.length === 1 && value === 0) || (value >= 1e9 && value < 1e10)),
    tin: {
      type: tin.type,
      value: String(tin.value)
        .trim()
        .replace(/^(\d\d)-(\d{7})$/, '$1$2'),
    },
  })
  return {
    provider_references: (published.provider_references ?? []).map((reference) => ({
      ...reference,
      provider_groups: (reference.provider_groups ?? []).map(group),
    })),
    in_network: published.in_network.map((item) => ({
      billing_code_type: item.billing_code_type.trim().toUpperCase(),
      billing_code: String(item.billing_code).trim(),
      negotiated_rates: item.negotiated_rates.map((rate) => ({
        ...rate,
        provider_groups: (rate.provider_groups ?? []).map(group),
        negotiated_prices: rate.negotiated_prices.map((price) => ({
          ...price,
          negotiated_type: price.negotiated_type.trim().toLowerCase(),
          billing_class: (price.billing_class ?? '').trim().toLowerCase(),
          negotiated_rate: Number(price.negotiated_rate),
          service_code: (price.service_code ?? []).map((code) => String(code).trim().padStart(2, '0')),
          billing_code_modifier: (price.billing_code_modifier ?? [])
            .map((code) => code.trim().toUpperCase())
            .filter(Boolean),
        })),
      })),
    })),
  }
}
