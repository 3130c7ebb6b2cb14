import { parentPort } from 'node:worker_threads'
import type { BuildProgress, StagedSource } from '../warehouse/build-month.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import { httpClient, type HttpOptions } from '../files/http-client.ts'
import type { InflateLine } from './inflate/inflate-thread.ts'
import type { ReadFilter } from './reader/output.ts'
import type { ReadJob } from './read-source.ts'
import type { LocationsJob } from './remote-references.ts'

/** Work for a thread: reading a file, fetching its remote references, building a month. */
export type Job =
  | ({ readonly job: 'read' } & ReadJob)
  | ({ readonly job: 'locations' } & LocationsJob)
  | ({ readonly job: 'build' } & BuildJob)

/** What all jobs of a run share. */
export interface ThreadData {
  readonly http: HttpOptions
  readonly filter?: ReadFilter
}

export interface BuildJob {
  readonly payer: string
  readonly month: SourceMonth
  readonly sources: readonly StagedSource[]
  readonly ratesFolder: string
  readonly target: string
  readonly threadBeside: boolean
}

/** What a thread says: how far it is, that an address expired, what came of it, or what broke. */
export type ThreadSays =
  | { readonly says: 'progress'; readonly packedBytes: number; readonly unpackedBytes: number }
  | { readonly says: 'building'; readonly progress: BuildProgress }
  | { readonly says: 'expired' }
  | { readonly says: 'done'; readonly result: unknown }
  | { readonly says: 'broke'; readonly message: string; readonly stack: string | undefined }

export type ThreadHears =
  | { readonly hears: 'prepare'; readonly inflating: InflateLine }
  | { readonly hears: 'shared'; readonly data: ThreadData }
  | { readonly hears: 'job'; readonly job: Job }
  | { readonly hears: 'renewed'; readonly address: string | undefined }

const progressEveryMs = 250

/** What reads files. While it is loaded, the thread that inflates comes up. */
async function readingCode(inflating?: InflateLine) {
  const { prepareInflating } = await import('./inflate/inflated.ts')
  prepareInflating(inflating)
  const { prepareReaderModule } = await import('./reader/reader-module.ts')
  prepareReaderModule()
  return import('./read-source.ts')
}

const port = parentPort
if (port) {
  let filter: ReadFilter | undefined
  let client = httpClient()
  let renewed: (address: string | undefined) => void = () => undefined
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const say = (said: ThreadSays) => port.postMessage(said)
  port.on('message', (heard: ThreadHears) => {
    if (heard.hears === 'prepare') return void readingCode(heard.inflating)
    if (heard.hears === 'shared') {
      filter = heard.data.filter
      client = httpClient(heard.data.http)
      return
    }
    if (heard.hears === 'renewed') return renewed(heard.address)
    const renew = () =>
      new Promise<string | undefined>((resolve) => {
        renewed = resolve
        say({ says: 'expired' })
      })
    void answer(heard.job, renew)
  })

  const answer = async (job: Job, renew: () => Promise<string | undefined>): Promise<void> => {
    try {
      say({ says: 'done', result: await work(job, renew) })
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      say({ says: 'broke', message, stack })
    }
    // While what was read is made safe on disk, this thread has nothing to do; a month is built next.
    if (job.job === 'read' && job.work) await import('../warehouse/build-month.ts')
  }

  // Each kind of work loads what it needs: a thread that only builds knows nothing of reading.
  const work = async (job: Job, renew: () => Promise<string | undefined>): Promise<unknown> => {
    if (job.job === 'build') {
      const { buildMonth } = await import('../warehouse/build-month.ts')
      const { normalCode, normalModifiers, normalServiceCodes } = await import('./codes.ts')
      return buildMonth({
        ...job,
        normalise: {
          code: ({ type, code, severity }) => normalCode(type, code, severity),
          serviceCodes: normalServiceCodes,
          modifiers: normalModifiers,
        },
        progress: (progress) => say({ says: 'building', progress }),
      })
    }
    if (job.job === 'locations') {
      const { stageLocations } = await import('./remote-references.ts')
      return stageLocations(client, filter ? { ...job, filter } : job)
    }
    const { readSource } = await readingCode()
    let saidAt = 0
    return readSource(client, filter ? { ...job, filter } : job, {
      renew,
      progress: (done) => {
        const now = performance.now()
        if (now - saidAt < progressEveryMs) return
        saidAt = now
        say({ says: 'progress', ...done })
      },
    })
  }
}
