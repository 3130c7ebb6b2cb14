import type { operations } from '../operations/index.ts'
import type { RequestOf, ResponseOf } from '../operations/operation.ts'
import type { ReportCaller } from './store.ts'

/** What a call brings along. */
export interface ReportCall {
  readonly caller: ReportCaller
  readonly signal?: AbortSignal | undefined
  readonly pageSizeMost?: number | undefined
  /** As the caller sent them. */
  readonly idempotencyKey?: string | undefined
  readonly onRepeat?: (() => void) | undefined
  readonly ifMatch?: string | undefined
}

type Operations = typeof operations
/** What an operation is asked. */
export type Asked<Name extends keyof Operations> = RequestOf<Operations[Name]>
/** What an operation answers. */
export type Told<Name extends keyof Operations> = ResponseOf<Operations[Name]>
