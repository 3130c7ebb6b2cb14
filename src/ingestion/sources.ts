import { open, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Failure } from '../errors.ts'
import { addressWithoutToken, isUrl } from '../files/address.ts'

/** A file to be read, wherever it is. */
export interface SourceFile {
  /** What it is called in the ledger: a path, or an address without its token. */
  readonly address: string
  /** Where to get it: a path, or an address with its token. Never stored, never logged. */
  readonly from: string
  /** The index that lists it. */
  readonly index?: IndexOrigin
  /** What the index says it is. */
  readonly listedAs?: 'in-network' | 'allowed-amounts'
}

/** Where a listed file was listed. */
export interface IndexOrigin {
  /** Its number in the ledger. */
  readonly id: number
  readonly address: string
  /** Where to get it, with its token. Never stored, never logged. */
  readonly from: string
  readonly reportingEntity: string | undefined
}

const listLineMax = 8_192
// Indexes come first: the files they list are then known by their addresses and plans before they are read.
const looksLikeIndex = /(index|table[-_ ]?of[-_ ]?contents|toc)[^/]*$/i
const looksLikePayerFile = /\.(json|gz|gzip|zip)$/i

/** The files behind what an operator names: files, folders, addresses, and text files of addresses. */
export async function expandedSources(sources: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const source of sources) {
    if (isUrl(source)) files.push(fetchable(source))
    else files.push(...(await localFiles(resolve(source), source)))
  }
  // The same file under two names of one run is read once.
  return [...new Map(files.map((file) => [file.address, file])).values()]
}

export const fetchable = (address: string): SourceFile => ({
  address: addressWithoutToken(address),
  from: address,
})
const local = (path: string): SourceFile => ({ address: path, from: path })

async function localFiles(path: string, named: string): Promise<SourceFile[]> {
  const about = await stat(path).catch(() => undefined)
  if (about === undefined) throw new Failure('invalid_request', `There is no file or folder ${named}.`)
  if (about.isDirectory()) {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && looksLikePayerFile.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort((a, b) => Number(looksLikeIndex.test(b)) - Number(looksLikeIndex.test(a)) || (a < b ? -1 : 1))
      .map(local)
  }
  const addresses = await listedAddresses(path)
  return addresses ? addresses.map(fetchable) : [local(path)]
}

/** The addresses in a text file that holds one on each line; undefined for any other file. */
async function listedAddresses(path: string): Promise<string[] | undefined> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(listLineMax)
    const { bytesRead } = await file.read(head, 0, listLineMax, 0)
    const start = head
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart()
    // Lines of a list may be comments.
    if (!/^(#[^\n]*\n\s*)*https?:\/\//i.test(start)) return undefined
    const addresses: string[] = []
    for await (const line of file.readLines({ start: 0 })) {
      const text = line.replace(/^\uFEFF/, '').trim()
      if (isUrl(text)) addresses.push(text)
    }
    return addresses
  } finally {
    await file.close().catch(() => undefined)
  }
}
