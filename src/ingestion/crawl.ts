import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addressName, addressWithoutToken, isUrl, storedLocation } from '../files/address.ts'
import { fetched, FetchProblem } from '../files/http.ts'
import type { HttpClient } from '../files/http-client.ts'
import { IndexBook, listedFiles, type KnownIndex } from './ledger-plans.ts'
import type { Ledger } from './ledger.ts'
import type { IndexOrigin, SourceFile } from './sources.ts'
import { relocated, tableOfContents } from './table-of-contents.ts'
import { fileBytes, unpacked } from './unpack.ts'

export interface Crawl {
  readonly index: IndexOrigin
  /** Every listed file once. */
  readonly files: readonly SourceFile[]
  /** What cut the crawl short. */
  readonly says: string | undefined
}

/** Reads an index to its end into the ledger, and answers the files it lists. */
export async function crawl(
  client: HttpClient,
  ledger: Ledger,
  source: SourceFile,
  signal?: AbortSignal,
): Promise<Crawl> {
  const { bytes, digest, validators } = await indexBytes(client, source.from, signal)
  const book = new IndexBook(ledger, source)
  const listed = new Map<string, { from: string; listedAs: 'in-network' | 'allowed-amounts' }>()
  let header = {}
  let signed = false
  let says: string | undefined
  for await (const file of unpacked({ bytes, ...(!isUrl(source.from) && { path: source.from }) })) {
    const index = tableOfContents(file.bytes)
    for await (const listings of index.listings) {
      book.add(listings)
      for (const listing of listings) {
        if (!('file' in listing)) continue
        const address = addressWithoutToken(listing.file.location)
        signed ||= storedLocation(listing.file.location) !== listing.file.location
        if (!listed.has(address))
          listed.set(address, {
            from: beside(source.from, listing.file.location) ?? listing.file.location,
            listedAs: listing.file.kind,
          })
      }
    }
    header = { ...header, ...index.header }
    says ??= index.problem()?.says ?? file.problem()?.says
  }
  const id = book.finish({ address: source.address, digest: digest(), validators, header, signed, says })
  const { reporting_entity_name: reportingEntity } = header as { reporting_entity_name?: string }
  const index: IndexOrigin = { id, address: source.address, from: source.from, reportingEntity }
  const files = [...listed].map(([address, { from, listedAs }]) => ({ address, from, index, listedAs }))
  return { index, files, says }
}

/** The files of an index that is the same as when it was read, from the ledger. */
export function crawledBefore(ledger: Ledger, source: SourceFile, known: KnownIndex): readonly SourceFile[] {
  const index: IndexOrigin = {
    id: known.id,
    address: source.address,
    from: source.from,
    reportingEntity: known.reportingEntity,
  }
  return listedFiles(ledger, known.id).map(({ address, kind }) => ({
    address,
    from: beside(source.from, address) ?? address,
    index,
    listedAs: kind,
  }))
}

/** A listed file that lies beside a downloaded index under its own name. */
function beside(index: string, location: string): string | undefined {
  if (isUrl(index)) return undefined
  const path = join(dirname(index), addressName(location))
  return existsSync(path) ? path : undefined
}

/** The present address of a file whose signed one expired, from its index read anew. */
export async function renewedAddress(
  client: HttpClient,
  index: IndexOrigin,
  address: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { bytes } = await indexBytes(client, index.from, signal)
  for await (const file of unpacked({ bytes, ...(!isUrl(index.from) && { path: index.from }) })) {
    const found = await relocated(file.bytes, address)
    if (found !== undefined) return found
  }
  return undefined
}

async function indexBytes(client: HttpClient, from: string, signal: AbortSignal | undefined) {
  if (isUrl(from)) {
    const answer = await fetched(client, from, signal && { signal })
    if (answer === 'unchanged') throw new FetchProblem('failed', 'the server answered 304')
    const { bytes, digest, ...validators } = answer
    return { bytes, digest, validators }
  }
  const hash = createHash('sha256')
  async function* bytes() {
    for await (const chunk of fileBytes(from, signal)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const about = await stat(from)
  const validators = { lastModified: about.mtime.toISOString(), size: about.size }
  return { bytes: bytes(), digest: () => hash.digest('hex'), validators }
}
