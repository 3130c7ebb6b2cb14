import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

const numbered = (count: number, ...names: readonly string[]) =>
  Array.from({ length: count }, (_, index) => names.map((name) => `${name}_${index + 1}`)).flat()
const address = (kind: string) => [
  `Provider First Line Business ${kind} Address`,
  `Provider Second Line Business ${kind} Address`,
  `Provider Business ${kind} Address City Name`,
  `Provider Business ${kind} Address State Name`,
  `Provider Business ${kind} Address Postal Code`,
  `Provider Business ${kind} Address Country Code (If outside U.S.)`,
  `Provider Business ${kind} Address Telephone Number`,
  `Provider Business ${kind} Address Fax Number`,
]

/** The 330 headings of the main NPPES file, version 2, in its order. */
export const nppesHeadings: readonly string[] = [
  'NPI',
  'Entity Type Code',
  'Replacement NPI',
  'Employer Identification Number (EIN)',
  'Provider Organization Name (Legal Business Name)',
  'Provider Last Name (Legal Name)',
  'Provider First Name',
  'Provider Middle Name',
  'Provider Name Prefix Text',
  'Provider Name Suffix Text',
  'Provider Credential Text',
  'Provider Other Organization Name',
  'Provider Other Organization Name Type Code',
  'Provider Other Last Name',
  'Provider Other First Name',
  'Provider Other Middle Name',
  'Provider Other Name Prefix Text',
  'Provider Other Name Suffix Text',
  'Provider Other Credential Text',
  'Provider Other Last Name Type Code',
  ...address('Mailing'),
  ...address('Practice Location'),
  'Provider Enumeration Date',
  'Last Update Date',
  'NPI Deactivation Reason Code',
  'NPI Deactivation Date',
  'NPI Reactivation Date',
  'Provider Sex Code',
  'Authorized Official Last Name',
  'Authorized Official First Name',
  'Authorized Official Middle Name',
  'Authorized Official Title or Position',
  'Authorized Official Telephone Number',
  ...numbered(
    15,
    'Healthcare Provider Taxonomy Code',
    'Provider License Number',
    'Provider License Number State Code',
    'Healthcare Provider Primary Taxonomy Switch',
  ),
  ...numbered(
    50,
    'Other Provider Identifier',
    'Other Provider Identifier Type Code',
    'Other Provider Identifier State',
    'Other Provider Identifier Issuer',
  ),
  'Is Sole Proprietor',
  'Is Organization Subpart',
  'Parent Organization LBN',
  'Parent Organization TIN',
  'Authorized Official Name Prefix Text',
  'Authorized Official Name Suffix Text',
  'Authorized Official Credential Text',
  ...numbered(15, 'Healthcare Provider Taxonomy Group'),
  'Certification Date',
]

const first = ['MARIA', 'JOHN', 'WEI', 'FATIMA', 'ROBERT', 'ANH', 'OLGA', 'JAMES', 'PRIYA', 'LINDA']
const last = [
  'SMITH',
  'GARCIA',
  'NGUYEN',
  'JOHNSON',
  'PATEL',
  'KIM',
  'BROWN',
  'OKAFOR',
  "O'NEIL",
  'LEE-CHANG',
]
const places = [
  ['HOUSTON', 'TX', '770301234'],
  ['LOS ANGELES', 'CA', '900121234'],
  ['NEW YORK', 'NY', '100161234'],
  ['MIAMI', 'FL', '331011234'],
  ['BOSTON', 'MA', '021141234'],
  ['PHOENIX', 'AZ', '850061234'],
] as const
const specialties = ['207R00000X', '208D00000X', '363L00000X', '225100000X', '1223G0001X', '261QU0200X']

/** A ten-digit NPI with its check digit, the n-th of an order that looks shuffled. */
export function npiOfNumber(n: number): string {
  const nine = 100_000_000 + ((n * 48_271) % 99_999_989)
  const text = `80840${nine}`
  let sum = 0
  for (const [index, character] of text.split('').reverse().entries()) {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return `${nine}${(10 - (sum % 10)) % 10}`
}

/** One generated row: every seventh is an organisation, every fiftieth is deactivated. */
export function nppesRow(n: number): string {
  const cells = new Map<string, string>([['NPI', npiOfNumber(n)]])
  const [city, state, zip] = places[n % places.length] ?? places[0]
  if (n % 50 === 49) cells.set('NPI Deactivation Date', '03/15/2024')
  else {
    const group = n % 7 === 0
    cells.set('Entity Type Code', group ? '2' : '1')
    if (group)
      cells.set('Provider Organization Name (Legal Business Name)', `${last[n % 10]} FAMILY CLINIC ${n}, LLC`)
    else {
      cells.set('Provider Last Name (Legal Name)', `${last[n % 10]}`)
      cells.set('Provider First Name', `${first[Math.floor(n / 10) % 10]}`)
      cells.set('Provider Middle Name', String.fromCodePoint(65 + (n % 26)))
      cells.set('Provider Credential Text', n % 2 === 0 ? 'M.D.' : 'NP')
    }
    for (const kind of ['Mailing', 'Practice Location']) {
      cells.set(`Provider First Line Business ${kind} Address`, `${(n % 9_000) + 1} MAIN ST`)
      cells.set(`Provider Second Line Business ${kind} Address`, n % 3 === 0 ? `STE ${n % 900}` : '')
      cells.set(`Provider Business ${kind} Address City Name`, city)
      cells.set(`Provider Business ${kind} Address State Name`, state)
      cells.set(`Provider Business ${kind} Address Postal Code`, zip)
      cells.set(`Provider Business ${kind} Address Country Code (If outside U.S.)`, 'US')
      cells.set(`Provider Business ${kind} Address Telephone Number`, String(2_000_000_000 + n))
    }
    cells.set('Provider Enumeration Date', '05/23/2005')
    cells.set('Last Update Date', '07/08/2021')
    cells.set('Healthcare Provider Taxonomy Code_1', specialties[n % specialties.length] ?? '')
    cells.set('Provider License Number_1', `A${n}`)
    cells.set('Provider License Number State Code_1', state)
    cells.set('Healthcare Provider Primary Taxonomy Switch_1', n % 5 === 0 ? 'N' : 'Y')
    if (n % 5 === 0) {
      cells.set('Healthcare Provider Taxonomy Code_2', specialties[(n + 1) % specialties.length] ?? '')
      cells.set('Healthcare Provider Primary Taxonomy Switch_2', 'Y')
    }
  }
  return nppesHeadings.map((heading) => `"${cells.get(heading) ?? ''}"`).join(',')
}

/** Writes a main file of generated rows as NPPES quotes them. */
export async function writeNppes(path: string, rows: number, from = 0): Promise<void> {
  const file = createWriteStream(path)
  file.write(`${nppesHeadings.map((heading) => `"${heading}"`).join(',')}\n`)
  for (let n = from; n < from + rows; n += 500) {
    const block = Array.from({ length: Math.min(500, from + rows - n) }, (_, index) => nppesRow(n + index))
    if (!file.write(`${block.join('\n')}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}
