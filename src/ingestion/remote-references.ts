import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { addressHost, addressWithoutToken, isUrl, textWithoutTokens } from '../files/address.ts'
import { fetched, FetchProblem } from '../files/http.ts'
import type { HttpClient } from '../files/http-client.ts'
import { referenceFlags, type ReadFilter } from './reader/output.ts'
import { writeRemoteStage } from './reader/remote-references.ts'
import { readStage } from './reader/stage.ts'
import { StagedTexts } from '../warehouse/staged-texts.ts'
import { unpacked } from './unpack.ts'

/** A stage whose references lie elsewhere: plain data, so that it can be handed to a thread. */
export interface LocationsJob {
  /** The stage that names them. */
  readonly stage: string
  /** Folder in which unfinished stages are made. */
  readonly work: string
  /** The full addresses of those that the stage names without what grants access to them. */
  readonly signed?: ReadonlyMap<string, string>
  readonly filter?: ReadFilter
  /** References fetched at the same time. */
  readonly parallel?: number
}

export interface StagedLocations {
  /** Unfinished stage of the references' groups; absent where none could be had. */
  readonly stage?: string
  /** Names that content: the same references give the same. */
  readonly key: string
  readonly fetched: number
  readonly failed: readonly { readonly location: string; readonly says: string }[]
}

const documentBytesMax = 64 * 2 ** 20
const failuresShown = 20
const probesMax = 3

/**
 * A host of remote references. Until it has answered once it is asked one question at a time, and given up
 * after a few: a publisher's host that is gone would otherwise be tried thousands of times.
 */
class Host {
  #answers = false
  #probes = 0
  #probing: Promise<unknown> = Promise.resolve()

  asked<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (this.#answers) return question()
    const probe = this.#probing.then(async () => {
      if (this.#answers) return question()
      if (this.#probes >= probesMax) throw new FetchProblem('failed', 'its host does not answer')
      this.#probes++
      try {
        const answer = await question()
        this.#answers = true
        return answer
      } catch (error) {
        // "No such file" is an answer, too.
        if (error instanceof FetchProblem && error.kind !== 'failed') this.#answers = true
        throw error
      }
    })
    this.#probing = probe.catch(() => undefined)
    return probe
  }
}

/** Fetches the remote references that rates use, in a bounded pool; one that cannot be had is told and left out. */
export async function stageLocations(client: HttpClient, job: LocationsJob): Promise<StagedLocations> {
  const locations = usedLocations(job.stage)
  const failed: { location: string; says: string }[] = []
  const hosts = new Map<string, Host>()
  const key = createHash('sha256')
  let count = 0

  async function one(location: string): Promise<{ location: string; bytes: Uint8Array } | undefined> {
    const name = addressHost(location)
    const host = hosts.get(name) ?? new Host()
    hosts.set(name, host)
    try {
      if (!isUrl(location)) throw new FetchProblem('refused', 'not an http(s) address')
      const address = job.signed?.get(location) ?? location
      return { location, bytes: await host.asked(() => document(client, address)) }
    } catch (error) {
      failed.push({ location: shown(location), says: textWithoutTokens((error as Error).message) })
      return undefined
    }
  }

  const stage = join(job.work, `partial-${process.pid}-${randomUUID()}`)
  const remote = writeRemoteStage(stage, job.filter)
  for await (const read of pooled(locations, job.parallel ?? 32, one)) {
    if (read === undefined) continue
    const { usable, kind, findings } = remote.add(read.location, read.bytes)
    if (usable) {
      count++
      key.update(`${read.location}\n`).update(createHash('sha256').update(read.bytes).digest())
    } else
      failed.push({
        location: shown(read.location),
        says: findings.kept[0]?.says ?? `not a provider reference but ${kind}`,
      })
  }
  remote.finish()
  return {
    ...(count > 0 && { stage }),
    key: key.digest('hex').slice(0, 24),
    fetched: count,
    failed: [
      ...failed.slice(0, failuresShown),
      ...failed.slice(failuresShown).map(({ location }) => ({ location, says: '' })),
    ],
  }
}

/** A location for people, without the digest that tells signed ones apart. */
const shown = (location: string) => addressWithoutToken(location)

/** The addresses of the references that some rate uses. */
export function usedLocations(stage: string): string[] {
  const columns = readStage(stage)
  const flags = columns.bytes('references', 'flags')
  const references = columns.words('definitions', 'reference')
  const used = new Set<number>()
  for (const [row, location] of columns.words('definitions', 'location').entries())
    if (location > 0 && (flags[references[row] ?? 0] ?? 0) & referenceFlags.used) used.add(location)
  const texts = new StagedTexts(stage)
  return Array.from(used, (text) => texts.text(text)).sort()
}

async function document(client: HttpClient, location: string): Promise<Uint8Array> {
  const answer = await fetched(client, location)
  if (answer === 'unchanged') throw new FetchProblem('failed', 'the server answered 304')
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const file of unpacked({ bytes: answer.bytes })) {
    for await (const chunk of file.bytes) {
      length += chunk.length
      if (length > documentBytesMax) throw new FetchProblem('failed', `larger than ${documentBytesMax} bytes`)
      chunks.push(Buffer.from(chunk))
    }
    const problem = file.problem()
    if (problem) throw new FetchProblem('failed', problem.says)
  }
  return Buffer.concat(chunks)
}

/** Results in the order of the values, with at most `width` deeds under way. */
export async function* pooled<Value, Result>(
  values: readonly Value[],
  width: number,
  deed: (value: Value) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const underWay: Promise<Result>[] = []
  let next = 0
  while (next < values.length || underWay.length > 0) {
    while (next < values.length && underWay.length < width) underWay.push(deed(values[next++] as Value))
    const first = underWay.shift()
    if (first) yield await first
  }
}
