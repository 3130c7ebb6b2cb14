/**
 * A reader that takes a whole document through JSON.parse: slow, hungry and easy to believe.
 * Written apart from the real one, as its judge. It answers one line of text per price, and sums.
 */
export interface NaiveFile {
  readonly lines: string[]
  readonly definitions: string[]
  readonly items: number
  readonly prices: number
  readonly amounts: bigint
  readonly zero: number
  readonly groups: number
  readonly npis: number
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const asList = (value: Json | undefined): Json[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
const asObject = (value: Json | undefined): Record<string, Json> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
const asText = (value: Json | undefined): string =>
  typeof value === 'string' ? value.toWellFormed().trim() : typeof value === 'number' ? plain(value) : ''

function plain(value: number): string {
  const text = String(value)
  return text.includes('e') ? BigInt(value).toString() : text
}

function day(text: string): string {
  const slash = /^(\d+)\/(\d+)\/(\d{4})/.exec(text)
  if (slash) return `${slash[3]}-${slash[1]!.padStart(2, '0')}-${slash[2]!.padStart(2, '0')}`
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 10) : text
}

/** Whole ten-thousandths, half away from zero. */
export function tenThousandths(value: Json | undefined): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (text === '' || Number.isNaN(Number(text))) return undefined
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  const places = fraction.length - Number(exponent)
  const kept = places <= 4 ? digits + '0'.repeat(4 - places) : digits.slice(0, digits.length - (places - 4))
  let amount = BigInt(kept === '' ? '0' : kept)
  if (places > 4 && (digits.at(-(places - 4)) ?? '0') >= '5') amount += 1n
  return negative ? -amount : amount
}

function groupText(group: Record<string, Json>, sums: { groups: number; npis: number }): string {
  const listed = asList(group.npi ?? group.NPI).filter((npi) => npi !== null && npi !== '')
  sums.groups++
  sums.npis += listed.length
  const numbers = listed.map(Number)
  const isValid = (npi: number) => npi >= 1e9 && npi <= 9_999_999_999 && Number.isInteger(npi)
  const valid = [...new Set(numbers.filter(isValid))]
  const tinLevel = listed.length > 0 && numbers.every((npi) => npi === 0)
  const quarantined = numbers.some((npi) => npi !== 0 && !isValid(npi))
  const tin = asObject(group.tin)
  const value = asText(tin?.value).replace(/^(\d{2})-(\d{7})$/, '$1$2')
  return JSON.stringify([
    asText(tin?.type).toLowerCase(),
    value,
    asText(tin?.business_name),
    tinLevel,
    quarantined,
    valid.sort((a, b) => a - b),
  ])
}

const distinct = (texts: string[]) => [...new Set(texts)].sort()

export function naiveFile(document: Json, short: (text: string) => string = (text) => text): NaiveFile {
  const root = asObject(document) ?? {}
  const sums = { groups: 0, npis: 0 }
  const groupsOf = (value: Json | undefined) =>
    distinct(
      asList(value)
        .map(asObject)
        .filter((group) => group !== undefined)
        .map((group) => groupText(group, sums)),
    )
  const definitions = asList(root.provider_references)
    .map(asObject)
    .filter((reference) => reference !== undefined)
    .map((reference) =>
      JSON.stringify([
        referenceId(reference.provider_group_id),
        distinct(asList(reference.network_name).map(asText).filter(Boolean)),
        asText(reference.location),
        short(groupsOf(reference.provider_groups).join(';')),
      ]),
    )
  const lines: string[] = []
  let amounts = 0n
  let zero = 0
  const items = asList(root.in_network)
  for (const [index, element] of items.entries()) {
    const item = asObject(element)
    if (!item) continue
    const kind = item.bundled_codes ? 'bundle' : item.covered_services ? 'covered' : ''
    const about = short(
      JSON.stringify([
        index,
        asText(item.negotiation_arrangement).toLowerCase(),
        asText(item.billing_code_type).toUpperCase(),
        asText(item.billing_code_type_version),
        asText(item.billing_code),
        asText(item.name),
        asText(item.description),
        asText(item.severity_of_illness),
        kind,
        asList(item.bundled_codes ?? item.covered_services)
          .map(asObject)
          .filter((code) => code !== undefined)
          .map((code) => [
            asText(code.billing_code_type).toUpperCase(),
            asText(code.billing_code_type_version),
            asText(code.billing_code),
            asText(code.description),
          ]),
      ]),
    )
    for (const [place, entry] of asList(item.negotiated_rates).entries()) {
      const rate = asObject(entry)
      if (!rate) continue
      const references = distinct(
        asList(rate.provider_references)
          .filter((id) => id !== null && id !== '')
          .map(referenceId),
      )
      const set = short(`${references.join(',')}|${groupsOf(rate.provider_groups).join(';')}`)
      for (const published of asList(rate.negotiated_prices)) {
        const price = asObject(published)
        const amount = tenThousandths(price?.negotiated_rate)
        if (!price || amount === undefined) continue
        amounts += amount
        if (amount <= 0n) zero++
        const attributes = [
          asText(price.negotiated_type).toLowerCase(),
          asText(price.billing_class).toLowerCase(),
          asText(price.setting).toLowerCase(),
          day(asText(price.expiration_date)),
          distinct(
            asList(price.service_code)
              .map(asText)
              .filter(Boolean)
              .map((code) => code.toUpperCase().padStart(2, '0')),
          ),
          distinct(
            asList(price.billing_code_modifier)
              .map(asText)
              .filter(Boolean)
              .map((code) => code.toUpperCase()),
          ),
          asText(price.additional_information),
        ]
        lines.push(`${about} ${place} ${set} ${JSON.stringify(attributes)} ${amount}`)
      }
    }
  }
  return { lines, definitions, items: items.length, prices: lines.length, amounts, zero, ...sums }
}

function referenceId(id: Json | undefined): string {
  const text = asText(id)
  return /^\d+\.\d*$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
