import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { NegotiatedPrice, PayerFile, ProviderGroup } from './payer-file.ts'

/** Where real payer files lie, if this machine has them. */
export const realPayerFiles = join(
  process.env['RATEBOOK_REAL_DATA'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data'),
  'payer-files',
)

export const realFileNames = existsSync(realPayerFiles)
  ? readdirSync(realPayerFiles).filter((name) => name.endsWith('.json.gz'))
  : []

export const realFileBytes = (name: string) => gunzipSync(readFileSync(join(realPayerFiles, name)))

/** A published file with its words in the form that entries have: what the reader's documentation says, done by hand. */
export function normalFile(published: PayerFile): PayerFile {
  const group = ({ npi, tin }: ProviderGroup): ProviderGroup => ({
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
  const price = (written: NegotiatedPrice): NegotiatedPrice => ({
    ...written,
    negotiated_type: written.negotiated_type.trim().toLowerCase(),
    billing_class: (written.billing_class ?? '').trim().toLowerCase(),
    negotiated_rate: Number(written.negotiated_rate),
    service_code: (written.service_code ?? []).map((code) => String(code).trim().padStart(2, '0')),
    billing_code_modifier: (written.billing_code_modifier ?? [])
      .map((code) => code.trim().toUpperCase())
      .filter(Boolean),
  })
  return {
    provider_references: (published.provider_references ?? []).map((reference) => ({
      ...reference,
      provider_groups: (reference.provider_groups ?? []).map(group),
    })),
    in_network: published.in_network.map((item) => ({
      ...item,
      billing_code_type: item.billing_code_type.trim().toUpperCase(),
      billing_code: String(item.billing_code).trim(),
      negotiated_rates: item.negotiated_rates.map((rate) => ({
        ...rate,
        provider_groups: (rate.provider_groups ?? []).map(group),
        negotiated_prices: rate.negotiated_prices.map(price),
      })),
    })),
  }
}
