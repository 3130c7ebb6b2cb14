import { JSONParser } from '@streamparser/json'
import { addressWithoutToken } from '../files/address.ts'
import { planOf, textOf, type ReportedPlan } from './reported-plan.ts'

export interface ListedFile {
  readonly kind: 'in-network' | 'allowed-amounts'
  readonly description: string
  /** As listed, with its token: for fetching, never for keeping. */
  readonly location: string
}

/**
 * One line of an index. Plans and files of the same structure belong together, each plan with each file;
 * the pairs are never written out, for there may be billions.
 */
export type Listing =
  | { readonly structure: number; readonly plan: ReportedPlan }
  | { readonly structure: number; readonly file: ListedFile }

/** The scalars at the root of an index. */
export interface IndexHeader {
  reporting_entity_name?: string
  reporting_entity_type?: string
  last_updated_on?: string
  version?: string
}

/** An index could not be read to its end; what came before was listed. */
export interface IndexProblem {
  readonly says: string
  readonly offset: number
}

export interface TableOfContents {
  /** The listings in file order, those of one chunk at a time. */
  readonly listings: AsyncGenerator<Listing[], void>
  /** Complete once the listings have ended. */
  readonly header: IndexHeader
  readonly problem: () => IndexProblem | undefined
}

const structures = '$.reporting_structure.*'
const headerNames = ['reporting_entity_name', 'reporting_entity_type', 'last_updated_on', 'version'] as const
const paths = [
  ...headerNames.map((name) => `$.${name}`),
  `${structures}.reporting_plans.*`,
  `${structures}.in_network_files.*`,
  `${structures}.allowed_amount_file`,
  `${structures}.allowed_amount_files.*`,
]

/** Reads an index, of either schema version and any size, in the memory of a few chunks. */
export function tableOfContents(bytes: AsyncIterable<Uint8Array>): TableOfContents {
  const header: IndexHeader = {}
  let problem: IndexProblem | undefined
  let found: Listing[] = []
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 0 })
  parser.onValue = ({ value, key, stack }) => {
    const [, , structure, list] = stack.map((level) => level.key)
    if (structure === undefined) {
      const name = headerNames.find((name) => name === key)
      if (name && (typeof value === 'string' || typeof value === 'number')) header[name] = textOf(value)
      return
    }
    const listing = listingOf(Number(structure), String(list ?? key), value)
    if (listing) found.push(listing)
  }

  async function* listings(): AsyncGenerator<Listing[], void> {
    let offset = 0
    let first = true
    for await (const chunk of bytes) {
      const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf
      first = false
      try {
        if (parser.isEnded) break
        parser.write(marked ? chunk.subarray(3) : chunk)
      } catch (error) {
        problem = { says: `the index is not JSON here: ${(error as Error).message}`, offset }
      }
      offset += chunk.length
      if (found.length > 0) yield found
      found = []
      if (problem) return
    }
    if (!parser.isEnded) problem = { says: 'the index ends before its JSON does', offset }
  }
  return { listings: listings(), header, problem: () => problem }
}

function listingOf(structure: number, list: string, value: unknown): Listing | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Record<string, unknown>
  if (list === 'reporting_plans') return { structure, plan: planOf(fields) }
  const location = textOf(fields.location)
  if (location === '') return undefined
  const kind = list === 'in_network_files' ? 'in-network' : 'allowed-amounts'
  return { structure, file: { kind, description: textOf(fields.description), location } }
}

/**
 * The present address of a listed file, found in its index anew: what a signed address is renewed with.
 * Undefined where the index no longer lists it.
 */
export async function relocated(
  bytes: AsyncIterable<Uint8Array>,
  address: string,
): Promise<string | undefined> {
  const wanted = addressWithoutToken(address)
  for await (const listings of tableOfContents(bytes).listings)
    for (const listing of listings)
      if ('file' in listing && addressWithoutToken(listing.file.location) === wanted)
        return listing.file.location
  return undefined
}
