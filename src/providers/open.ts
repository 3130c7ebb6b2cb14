import { Failure } from '../errors.ts'
import { Pool, type AskOptions } from '../search/pool.ts'
import { currentIndex } from './pointer.ts'
import type { answers, AnswerName, Job } from './worker.ts'

type Answer<Name extends AnswerName> = (
  request: Parameters<(typeof answers)[Name]>[1],
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<ReturnType<(typeof answers)[Name]>>

/** The directory, ready to be asked. Every answer is made in a worker thread. */
export type Providers = { readonly [Name in AnswerName]: Answer<Name> } & {
  /** Looks for a newer index now instead of at the next tick; resolves when it is served. */
  reload(): Promise<void>
  close(): Promise<void>
}

export interface ProvidersSettings {
  readonly threads?: number
  /** How often the pointer is looked at; 0 never looks. */
  readonly watchMs?: number
  /** Questions that may wait for a free thread. */
  readonly waitingMax?: number
}

/**
 * Opens the directory under a data folder and follows it: when a new index is published, the threads go over to it
 * one by one and no question fails for it. Until one is published, every question fails with `not_loaded`.
 */
export async function openProviders(
  dataFolder: string,
  settings: ProvidersSettings = {},
): Promise<Providers> {
  const { threads = 2, watchMs = 1_000, waitingMax = 1_000 } = settings
  const worker = new URL('./worker.ts', import.meta.url)
  let pool: Pool | undefined
  let served: string | undefined
  let closed = false
  let following: Promise<void> = Promise.resolve()

  async function follow(): Promise<void> {
    const folder = await currentIndex(dataFolder)
    if (closed || folder === undefined || folder === served) return
    if (pool === undefined) pool = await Pool.open({ worker, threads, waitingMax }, folder)
    else await pool.swap(folder)
    served = folder
  }
  const reload = () => {
    const next = following.then(follow)
    following = next.catch(() => undefined)
    return next
  }
  await reload()
  // A pointer that cannot be read now is read at the next tick; the index in hand stays good.
  const timer = watchMs > 0 ? setInterval(() => void reload().catch(() => undefined), watchMs) : undefined
  timer?.unref()

  async function ask(name: AnswerName, request: unknown, options: AskOptions): Promise<unknown> {
    if (pool === undefined)
      throw new Failure('not_loaded', 'The provider directory is not loaded on this server.')
    const job: Job = { name, request: request as never }
    return pool.ask(job, options)
  }
  const answer = <Name extends AnswerName>(name: Name): Answer<Name> =>
    (async (request: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      ask(name, request, { signal, ahead: isTyping(request) })) as Answer<Name>

  return {
    npis: answer('npis'),
    npiSearch: answer('npiSearch'),
    ccns: answer('ccns'),
    ccnSearch: answer('ccnSearch'),
    tins: answer('tins'),
    tinSearch: answer('tinSearch'),
    searchProviders: answer('searchProviders'),
    hospitalBilling: answer('hospitalBilling'),
    reload,
    async close() {
      closed = true
      clearInterval(timer)
      await following
      await pool?.close()
    },
  }
}

const isTyping = (request: unknown) =>
  typeof request === 'object' &&
  request !== null &&
  'suggestionsOnly' in request &&
  request.suggestionsOnly === true
