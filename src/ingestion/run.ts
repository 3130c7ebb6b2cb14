import { Failure } from '../errors.ts'
import type { SourceMonth } from '../vocabulary/period.ts'
import { payerOf } from '../vocabulary/payer-registry.ts'
import type { BuiltMonth } from '../warehouse/build-month.ts'
import { collectOldBuilds, publishBuilds, readManifest, type Manifest } from '../warehouse/manifest.ts'
import { addressHost, isUrl } from '../files/address.ts'
import { builtMonths } from './build.ts'
import { httpClient, type HttpClient } from '../files/http-client.ts'
import { FileBook } from './file-book.ts'
import type { IngestRequest, IngestSummary } from './ingest.ts'
import { emptyMonth, recordBuild } from './ledger-months.ts'
import { knownIndex } from './ledger-plans.ts'
import { endRun, newRun } from './ledger-runs.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { takeLock, type Lock } from '../files/lock.ts'
import { pipelineFinding } from './pipeline-findings.ts'
import { ProgressCount } from './progress.ts'
import type { ReadOutcome } from './read-source.ts'
import { givenPayer } from './source-payer.ts'
import { expandedSources, type SourceFile } from './sources.ts'
import { collectStages, removeLeftovers, removeOwn, stageFolders } from './stages.ts'
import { targetFilter, targetKey } from './target.ts'
import type { Threads } from './threads.ts'

const reportEveryMs = 500

/** Does what `ingest` promises, on threads that may have been started ahead. */
export async function ingestOn(threads: Threads, request: IngestRequest): Promise<IngestSummary> {
  const payer = request.payer === undefined ? undefined : givenPayer(request.payer).payer
  const ledger = openLedger(request.ratesFolder)
  const locks: Lock[] = []
  try {
    // Both known: whoever is second learns it at once, not after hours of reading.
    if (payer && request.month) locks.push(lockMonth(request.ratesFolder, payer, request.month))
    await removeLeftovers(request.ratesFolder)
    return await new Run(request, threads, ledger, payer, locks).all()
  } finally {
    for (const lock of locks) lock.release()
    ledger.close()
  }
}

/** Keeps other processes away from a payer's month. */
export const lockMonth = (ratesFolder: string, payer: string, month: SourceMonth): Lock =>
  takeLock(
    ratesFolder,
    `${payer.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${month}`,
    `${payerOf(payer)?.name ?? payer}, month ${month}`,
  )

class Run {
  readonly #request: IngestRequest
  readonly #ledger: Ledger
  readonly #client: HttpClient
  readonly #threads: Threads
  readonly #progress = new ProgressCount()
  readonly #book: FileBook
  readonly #locks: Lock[]
  readonly #payer: string | undefined
  readonly #queue: SourceFile[] = []
  readonly #seen = new Set<string>()
  readonly #hosts = new Map<string, number>()
  readonly #id: number

  constructor(
    request: IngestRequest,
    threads: Threads,
    ledger: Ledger,
    payer: string | undefined,
    locks: Lock[],
  ) {
    const http = request.http ?? {}
    this.#request = request
    this.#ledger = ledger
    this.#locks = locks
    this.#payer = payer
    this.#client = httpClient(http)
    const filter = targetFilter(request.target ?? {})
    this.#threads = threads
    threads.share({ http, ...(filter && { filter }) })
    this.#book = new FileBook(ledger, stageFolders(request.ratesFolder), {
      payer,
      month: request.month,
      filter: targetKey(request.target ?? {}),
    })
    this.#id = newRun(ledger, request.sources, {
      payer,
      month: request.month,
      targeted: request.target !== undefined && targetKey(request.target) !== '',
      replace: request.replace,
    })
  }

  async all(): Promise<IngestSummary> {
    const { signal, report, ratesFolder } = this.#request
    const stop = () => void this.#threads.stop()
    signal?.addEventListener('abort', stop)
    const timer = setInterval(() => this.#tell(), reportEveryMs)
    try {
      signal?.throwIfAborted()
      this.#enqueue(await expandedSources(this.#request.sources))
      await this.#readAll()
      signal?.throwIfAborted()
      const months = await this.#build()
      this.#progress.phase = 'publishing'
      const manifest = await this.#publish(months)
      this.#ledger.whole(() => {
        for (const month of months) recordBuild(this.#ledger, month)
      })
      await collectOldBuilds(ratesFolder)
      await collectStages(this.#ledger, ratesFolder)
      this.#progress.phase = 'done'
      const { elapsedMs, unpackedBytes, prices } = this.#progress.now()
      endRun(this.#ledger, this.#id, 'done')
      report?.(this.#progress.now())
      return {
        snapshot: manifest.snapshot,
        ...this.#book.summary(),
        months,
        unpackedBytes,
        prices,
        elapsedMs,
      }
    } catch (error) {
      endRun(this.#ledger, this.#id, signal?.aborted ? 'stopped' : 'failed', (error as Error).message)
      signal?.throwIfAborted()
      throw error
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', stop)
      await this.#threads.stop()
      await this.#client.close()
      await removeOwn(ratesFolder)
    }
  }

  #tell(): void {
    const now = this.#progress.now()
    this.#ledger.run('update runs set progress = ? where id = ?', JSON.stringify(now), this.#id)
    this.#request.report?.(now)
  }

  #enqueue(files: readonly SourceFile[]): void {
    for (const file of files) {
      if (this.#seen.has(file.address)) continue
      this.#seen.add(file.address)
      if (file.listedAs === 'allowed-amounts') {
        this.#book.notLoaded(file)
        continue
      }
      // A file beside its index may wait under its path already; under its address its plans are known.
      const waiting = file.index ? this.#queue.findIndex(({ from }) => from === file.from) : -1
      if (waiting >= 0) this.#queue[waiting] = file
      else {
        this.#progress.expect(file.address, this.#book.sizeOf(file))
        this.#queue.push(file)
      }
    }
  }

  /** Reads until nothing is left: an index adds to the queue while others are read. */
  async #readAll(): Promise<void> {
    const running = new Set<Promise<void>>()
    const broken: unknown[] = []
    while ((this.#queue.length > 0 || running.size > 0) && broken.length === 0) {
      const file = running.size < this.#threads.size * 2 ? this.#nextFile() : undefined
      if (file === undefined) {
        await Promise.race(running)
        continue
      }
      const host = addressHost(file.from)
      this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1)
      const reading = this.#read(file)
        .catch((error: unknown) => {
          broken.push(error)
        })
        .finally(() => {
          this.#hosts.set(host, (this.#hosts.get(host) ?? 1) - 1)
          running.delete(reading)
        })
      running.add(reading)
    }
    if (broken.length > 0) {
      await this.#threads.stop()
      await Promise.allSettled(running)
      throw broken[0]
    }
  }

  /** The first file whose host may take one more connection. */
  #nextFile(): SourceFile | undefined {
    const most = this.#request.http?.perHost ?? 4
    const at = this.#queue.findIndex(
      ({ from }) => !isUrl(from) || (this.#hosts.get(addressHost(from)) ?? 0) < most,
    )
    return at < 0 ? undefined : this.#queue.splice(at, 1)[0]
  }

  async #read(file: SourceFile): Promise<void> {
    const index = knownIndex(this.#ledger, file.address)
    const known = this.#book.known(file) ?? index?.validators
    const outcome = await this.#threads.run<ReadOutcome>(
      {
        job: 'read',
        address: file.address,
        from: file.from,
        work: stageFolders(this.#request.ratesFolder).work,
        ...(known && { known }),
      },
      {
        progress: (said) => said.says === 'progress' && this.#progress.running(file.address, said),
        renew: () => this.#renewed(file),
      },
    )
    if (outcome.outcome === 'unchanged' && index && known === index.validators) {
      const { crawledBefore } = await import('./crawl.ts')
      this.#enqueue(crawledBefore(this.#ledger, file, index))
      return this.#progress.finished(file.address, { packedBytes: 0, unpackedBytes: 0 })
    }
    const documents = outcome.outcome === 'read' ? outcome.documents : []
    if (documents.some(({ kind }) => kind === 'table-of-contents')) await this.#crawl(file)
    await this.#book.take(file, outcome, (stage, signed) =>
      this.#threads.run({
        job: 'locations',
        stage,
        work: stageFolders(this.#request.ratesFolder).work,
        ...(signed && { signed }),
      }),
    )
    for (const { staged } of documents) this.#progress.prices += staged?.counts.prices ?? 0
    this.#progress.finished(file.address, {
      packedBytes: outcome.outcome === 'read' ? outcome.size : 0,
      unpackedBytes: documents.reduce((sum, { staged }) => sum + (staged?.counts.bytes ?? 0), 0),
    })
  }

  async #renewed(file: SourceFile): Promise<string | undefined> {
    if (!file.index) return undefined
    const { renewedAddress } = await import('./crawl.ts')
    return renewedAddress(this.#client, file.index, file.address, this.#request.signal)
  }

  async #crawl(file: SourceFile): Promise<void> {
    // Loaded by the first index: most runs are of files alone.
    const { crawl } = await import('./crawl.ts')
    const { FetchProblem } = await import('../files/http.ts')
    try {
      const { files, says } = await crawl(this.#client, this.#ledger, file, this.#request.signal)
      if (says) this.#book.problem(file.address, says)
      this.#enqueue(files)
    } catch (error) {
      if (!(error instanceof FetchProblem)) throw error
      this.#book.failed(file, pipelineFinding('unreachable', error.message))
    }
  }

  async #build(): Promise<BuiltMonth[]> {
    const touched = this.#book.months()
    if (touched.length === 0 && this.#book.summary().files.read + this.#book.summary().files.unchanged === 0)
      throw new Failure('invalid_request', this.#nothingRead())
    const held = this.#payer && this.#request.month ? `${this.#payer} ${this.#request.month}` : ''
    for (const { payer, month } of touched)
      if (`${payer} ${month}` !== held) this.#locks.push(lockMonth(this.#request.ratesFolder, payer, month))
    if (this.#request.replace)
      for (const { payer, month } of touched) {
        emptyMonth(this.#ledger, payer, month)
        this.#book.assignAgain(payer, month)
      }
    this.#progress.phase = 'building'
    this.#progress.monthsTotal = touched.length
    return builtMonths(this.#threads, this.#ledger, this.#request.ratesFolder, touched, () => {
      this.#progress.monthsDone++
    })
  }

  /** Publishes what is not published already; where nothing is new, nothing changes. */
  async #publish(months: readonly BuiltMonth[]): Promise<Manifest> {
    const { ratesFolder } = this.#request
    const before = await readManifest(ratesFolder)
    const published = new Set(before.builds.map(({ build }) => build))
    const fresh = months.filter(({ build }) => !published.has(build))
    return fresh.length > 0 ? publishBuilds(ratesFolder, fresh) : before
  }

  #nothingRead(): string {
    const problems = this.#book.summary().problems.map(({ address, says }) => `${address}: ${says}`)
    return ['No in-network file could be read.', ...problems.slice(0, 10)].join('\n')
  }
}
