/** Every key of the in-network schemas 1.0 to 2.2, numbered. 0 is any other key. */
export const keys = {
  reporting_entity_name: 1,
  reporting_entity_type: 2,
  last_updated_on: 3,
  version: 4,
  plan_name: 5,
  plan_id_type: 6,
  plan_id: 7,
  plan_market_type: 8,
  issuer_name: 9,
  plan_sponsor_name: 10,
  in_network: 11,
  provider_references: 12,
  out_of_network: 13,
  reporting_structure: 14,
  provider_group_id: 15,
  provider_groups: 16,
  network_name: 17,
  location: 18,
  negotiation_arrangement: 19,
  name: 20,
  description: 21,
  billing_code_type: 22,
  billing_code_type_version: 23,
  billing_code: 24,
  severity_of_illness: 25,
  negotiated_rates: 26,
  bundled_codes: 27,
  covered_services: 28,
  negotiated_prices: 29,
  negotiated_type: 30,
  negotiated_rate: 31,
  expiration_date: 32,
  billing_class: 33,
  setting: 34,
  service_code: 35,
  billing_code_modifier: 36,
  additional_information: 37,
  npi: 38,
  tin: 39,
  type: 40,
  value: 41,
  business_name: 42,
} as const

export type KeyName = keyof typeof keys

export const keyNames: readonly (KeyName | undefined)[] = [undefined, ...(Object.keys(keys) as KeyName[])]

const slots = 256
const table = new Uint8Array(slots)
const spelled = keyNames.map((name) => Buffer.from(name ?? ''))

const slotOf = (bytes: Uint8Array, at: number, length: number) =>
  (bytes[at]! * 7 + bytes[at + length - 1]! * 31 + bytes[at + (length >> 1)]! * 13 + length * 61) &
  (slots - 1)

for (const [number, word] of spelled.entries()) {
  if (number === 0) continue
  let slot = slotOf(word, 0, word.length)
  while (table[slot] !== 0) slot = (slot + 1) & (slots - 1)
  table[slot] = number
}

/** The number of the key in quotes at `bytes[at…end)`, as it is spelled; 0 where the schema has none such. */
export function keyNumber(bytes: Uint8Array, at: number, end: number): number {
  const start = at + 1
  const length = end - at - 2
  if (length === 0) return 0
  for (let slot = slotOf(bytes, start, length); table[slot] !== 0; slot = (slot + 1) & (slots - 1)) {
    const number = table[slot]!
    const word = spelled[number]!
    if (word.length !== length) continue
    let index = 0
    while (index < length && word[index] === bytes[start + index]) index++
    if (index === length) return number
  }
  return 0
}

const byName = new Map<string, number>(Object.entries(keys))

/** The number of a key in another case, or written with escapes. */
export const looseKeyNumber = (text: string) => byName.get(text.trim().toLowerCase()) ?? 0
