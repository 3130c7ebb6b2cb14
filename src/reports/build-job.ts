import { mkdir, rm } from 'node:fs/promises'
import { Failure } from '../errors.ts'
import { JobFailure, type JobHandler } from '../jobs/worker.ts'
import type { Pricing } from '../pricing/pricing.ts'
import type { Records } from '../records/records.ts'
import { sourceMonthText } from '../vocabulary/period.ts'
import { syncFolder } from '../files/durable-files.ts'
import { writeRowFile, type ProviderNames } from './row-file.ts'
import { sweepRowFiles, type RowFiles } from './row-files.ts'
import { noteFailed, noteRunning, publishBuild, reportForWork } from './store.ts'

export interface BuildSettings {
  readonly rowsMost: number
  readonly memoryLimit: string
  readonly threads: number
}

export interface BuildSources {
  readonly records: Records
  readonly pricing: Pricing
  readonly names: ProviderNames
  readonly files: RowFiles
  readonly settings: BuildSettings
  readonly now: () => number
}

/**
 * Makes the rows of a report. They are written to a folder of their own and become the report's with the transaction that ends the job,
 * so that a worker that dies in the middle leaves nothing but a folder, which the sweep removes.
 */
export function buildJob({ records, pricing, names, files, settings, now }: BuildSources): JobHandler {
  return {
    async run(job, { signal, progress, publish }) {
      const report = await reportForWork(records, job.subject)
      if (!report) return
      await noteRunning(records, report.id)
      const build = `${job.id}-${job.attempt}-${job.worker.slice(-8)}`
      const folder = files.path(report.id, build)
      let isPublishing = false
      try {
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder, { recursive: true })
        const { walk, medicareYear } = await pricing.entryWalk(report.query)
        const rows = await writeRowFile(folder, {
          ...settings,
          walk,
          medicareYear,
          names,
          signal,
          onProgress: progress,
        })
        syncFolder(folder)
        signal.throwIfAborted()
        isPublishing = true
        await publish((statements) =>
          publishBuild(statements, report.id, {
            build,
            snapshot: walk.sources.snapshot.id,
            sourceMonths: walk.months.map(sourceMonthText),
            rows,
            now: now(),
          }),
        )
      } catch (error) {
        // A store that fails while it publishes may have published: the sweep knows later.
        if (!isPublishing) await rm(folder, { recursive: true, force: true })
        // What the caller asked for cannot be done, now or later: the sentence is theirs.
        const isFinal = error instanceof Failure && error.status < 500 && !signal.aborted
        throw isFinal ? new JobFailure(error.message, { cause: error }) : error
      }
      await sweepRowFiles(records, files.folder, report.id)
    },
    failed: (statements, { subject }, message) => noteFailed(statements, subject, message, now()),
  }
}
