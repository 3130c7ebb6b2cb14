/**
 * Everything that can be odd in a publisher's file, said once. `error`: something could not be read and is not in the result;
 * `warning`: kept, but marked or left out of statistics; `notice`: read another way than written.
 */
export const findingKinds = {
  // The document.
  bad_json: { severity: 'error', says: 'The text is not JSON here; what came before it is kept' },
  truncated: { severity: 'error', says: 'The file ends before its JSON does; what came before is kept' },
  broken_source: {
    severity: 'error',
    says: 'The bytes stopped coming (a damaged archive or a broken connection)',
  },
  trailing_bytes: {
    severity: 'error',
    says: 'Something other than white space follows the end of the document',
  },
  too_deep: { severity: 'error', says: 'The nesting is deeper than any payer file needs' },
  too_large: { severity: 'error', says: 'One value is larger than the limit and is left out' },
  empty_file: { severity: 'error', says: 'The file holds nothing' },
  html_page: { severity: 'error', says: 'This is a web page, not JSON' },
  not_in_network: { severity: 'warning', says: 'This is no in-network file; recognised, not loaded' },
  byte_order_mark: { severity: 'notice', says: 'The file begins with a byte order mark' },
  unpaired_surrogate: { severity: 'notice', says: 'An escape names half a character; it reads as U+FFFD' },
  bad_utf8: { severity: 'notice', says: 'A text is not UTF-8; the bad bytes read as U+FFFD' },
  duplicate_key: { severity: 'warning', says: 'An object has this key twice; the last one counts' },
  repeated_part: { severity: 'warning', says: 'A list of the document comes twice; both are read' },
  unknown_key: { severity: 'notice', says: 'A key that the schema does not know is skipped' },

  // Header.
  missing_field: { severity: 'warning', says: 'A field that the schema requires is absent or empty' },
  wrong_type: { severity: 'error', says: 'A value of another type than the schema asks for; left out' },
  version_disagrees: {
    severity: 'notice',
    says: 'The version that the file names and the fields it holds belong to different schemas',
  },
  bad_date: { severity: 'warning', says: 'A date that is not YYYY-MM-DD; kept as written' },
  date_reshaped: { severity: 'notice', says: 'A date in another form was read as YYYY-MM-DD' },

  // Values read another way than written.
  number_as_text: { severity: 'notice', says: 'A number is written as a string' },
  text_as_number: { severity: 'notice', says: 'A text is written as a number' },
  single_for_list: { severity: 'notice', says: 'One value stands where a list is due' },
  null_value: { severity: 'notice', says: 'null stands where the schema has no null' },
  null_in_list: { severity: 'notice', says: 'A list holds null; skipped' },
  empty_in_list: { severity: 'notice', says: 'A list holds an empty string; skipped' },
  key_case: { severity: 'notice', says: 'A key is written in another case' },
  text_trimmed: { severity: 'notice', says: 'White space around a value was cut off' },
  value_case: { severity: 'notice', says: 'A value of a fixed list is written in another case' },
  service_code_padded: { severity: 'notice', says: 'A place of service without its leading zero' },

  // Providers.
  npi_invalid: { severity: 'warning', says: 'Not a ten-digit NPI; left out of its group, never padded' },
  npi_zero_among_others: { severity: 'warning', says: 'NPI 0 beside real NPIs; left out' },
  npi_check_digit: { severity: 'warning', says: 'The check digit of this NPI does not hold; kept' },
  npi_repeated: { severity: 'notice', says: 'A group lists an NPI more than once; kept once' },
  group_without_npi: { severity: 'warning', says: 'A provider group without any NPI' },
  tin_invalid: {
    severity: 'warning',
    says: 'Not an EIN (nine digits) nor an NPI; kept as written and marked',
  },
  ein_prefix: { severity: 'notice', says: 'The IRS gives out no EIN that begins like this; kept' },
  tin_type_unknown: { severity: 'warning', says: 'tin.type is neither ein nor npi' },
  tin_type_mismatch: { severity: 'notice', says: 'tin.type and the form of tin.value disagree' },
  tin_missing: { severity: 'warning', says: 'A provider group without a TIN' },
  reference_id_invalid: { severity: 'warning', says: 'provider_group_id is not a number; compared as text' },
  reference_repeated: { severity: 'notice', says: 'A list names a reference more than once' },
  reference_redefined: {
    severity: 'warning',
    says: 'A provider_group_id is defined more than once; the definitions are joined',
  },
  reference_undefined: { severity: 'warning', says: 'Rates name a reference that the file does not define' },
  reference_empty: { severity: 'warning', says: 'A reference with neither groups nor location' },
  location_invalid: { severity: 'warning', says: 'A location that is not an http(s) address' },
  rate_without_providers: { severity: 'warning', says: 'Rates that name no provider' },
  rate_without_prices: { severity: 'warning', says: 'A rate object without prices' },

  // Items and prices.
  item_without_code: { severity: 'warning', says: 'An item without a billing code' },
  code_type_unknown: {
    severity: 'warning',
    says: 'billing_code_type is none of the seventeen of CMS; kept as written',
  },
  code_type_mismatch: {
    severity: 'notice',
    says: 'A code of HCPCS Level II stands under CPT; kept as written',
  },
  arrangement_unknown: {
    severity: 'warning',
    says: 'negotiation_arrangement is none of ffs, bundle, capitation',
  },
  negotiated_type_unknown: {
    severity: 'warning',
    says: 'negotiated_type is none of the five of CMS; kept as written',
  },
  billing_class_unknown: {
    severity: 'warning',
    says: 'billing_class is none of professional, institutional, both',
  },
  setting_unknown: { severity: 'warning', says: 'setting is none of inpatient, outpatient, both' },
  service_code_unknown: {
    severity: 'warning',
    says: 'service_code is no place of service and not CSTM-00; kept',
  },
  modifier_unknown: { severity: 'warning', says: 'A modifier that is not two characters; kept as written' },
  rate_missing: { severity: 'error', says: 'A price without a readable negotiated_rate; left out' },
  rate_out_of_range: { severity: 'error', says: 'A rate beyond 900 billion dollars cannot be kept' },
  rate_rounded: {
    severity: 'notice',
    says: 'A rate with more than four decimals; rounded half away from zero',
  },
  rate_zero: { severity: 'warning', says: 'A rate of zero or below; kept, and out of market statistics' },
  rate_absurd: {
    severity: 'warning',
    says: 'A rate over 100 million dollars; kept, and out of market statistics',
  },
  percentage_below_one: {
    severity: 'notice',
    says: 'A percentage below 1, where 0.65 may stand for 65; kept as written',
  },
} as const satisfies Record<string, { severity: 'error' | 'warning' | 'notice'; says: string }>

export type FindingKind = keyof typeof findingKinds

/** One oddity and where it stands: the byte offset in the unpacked file, and the JSON path. */
export interface Finding {
  readonly kind: FindingKind
  readonly says: string
  readonly offset: number
  readonly path: string
}

/** All findings of one file: every one counted, the first of each kind kept. */
export interface Findings {
  readonly counts: Readonly<Partial<Record<FindingKind, number>>>
  readonly kept: readonly Finding[]
}

const kindNames = Object.keys(findingKinds) as FindingKind[]
const kindNumbers = new Map(kindNames.map((kind, number) => [kind, number]))

/** Counts besides the findings that also repeat with a repeated piece of text. */
const publishedGroups = kindNames.length
const publishedNpis = kindNames.length + 1

/** What one piece of text adds to the counts each time it is met: pairs of counter and number. */
export type Effect = readonly number[]

/** The effect of a piece of text in which so many groups and NPIs were published, and so many findings of each kind met. */
export function effectOf(
  groups: number,
  npis: number,
  findings: readonly (readonly [FindingKind, number])[],
): Effect {
  const effect = groups > 0 ? [publishedGroups, groups, publishedNpis, npis] : []
  for (const [kind, times] of findings) if (times > 0) effect.push(kindNumbers.get(kind)!, times)
  return effect
}

/** Gathers the findings of one file: counts every one, keeps the first of each kind. */
export class FindingBook {
  readonly #counts = new Float64Array(kindNames.length + 2)
  readonly #keptOfKind = new Uint32Array(kindNames.length)
  readonly #kept: Finding[] = []
  readonly #keptMax: number
  readonly #log: number[] = []
  #units = 0

  constructor(keptMax = 100) {
    this.#keptMax = keptMax
  }

  /** Whether the next finding of a kind would be kept, so that its sentence is worth making. */
  keeps(kind: FindingKind): boolean {
    return this.#keptOfKind[kindNumbers.get(kind)!]! < this.#keptMax
  }

  count(kind: FindingKind, times: number): void {
    this.#add(kindNumbers.get(kind)!, times)
  }

  keep(finding: Finding): void {
    this.#keptOfKind[kindNumbers.get(finding.kind)!]!++
    this.#kept.push(finding)
  }

  addPublished(groups: number, npis: number): void {
    if (groups > 0) this.#add(publishedGroups, groups)
    if (npis > 0) this.#add(publishedNpis, npis)
  }

  #add(counter: number, times: number): void {
    this.#counts[counter]! += times
    if (this.#units > 0) this.#log.push(counter, times)
  }

  /** Begins a piece of text that may repeat. Answers a mark for `endUnit`. */
  startUnit(): number {
    this.#units++
    return this.#log.length
  }

  /** What was added since `mark`; undefined where nothing was. */
  endUnit(mark: number): Effect | undefined {
    const log = this.#log
    this.#units--
    let effect: number[] | undefined
    if (log.length === mark + 2) effect = [log[mark]!, log[mark + 1]!]
    else if (log.length > mark) {
      effect = []
      for (let at = mark; at < log.length; at += 2) {
        let place = 0
        while (place < effect.length && effect[place] !== log[at]) place += 2
        if (place === effect.length) effect.push(log[at]!, log[at + 1]!)
        else effect[place + 1]! += log[at + 1]!
      }
    }
    if (this.#units === 0) log.length = 0
    return effect
  }

  /** Ends all pieces of text at once, after an error in the midst of one. */
  leaveUnits(): void {
    this.#units = 0
    this.#log.length = 0
  }

  /** Counts a piece of text met again. */
  repeat(effect: Effect, times: number): void {
    for (let at = 0; at < effect.length; at += 2) this.#add(effect[at]!, effect[at + 1]! * times)
  }

  of(kind: FindingKind): number {
    return this.#counts[kindNumbers.get(kind)!]!
  }

  get groupsPublished(): number {
    return this.#counts[publishedGroups]!
  }

  get npisPublished(): number {
    return this.#counts[publishedNpis]!
  }

  findings(): Findings {
    const counts: Partial<Record<FindingKind, number>> = {}
    for (const [number, kind] of kindNames.entries()) {
      if (this.#counts[number]! > 0) counts[kind] = this.#counts[number]!
    }
    return { counts, kept: this.#kept }
  }
}
