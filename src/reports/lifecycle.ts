import { Failure } from '../errors.ts'
import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import type { ReportActionRequest } from '../operations/reports.ts'

/** What actions change of a report. */
export interface Lifecycle {
  readonly state: 'active' | 'archived' | 'deleted'
  readonly config: SavedContractModelConfig | null
}

/**
 * A report after some actions: archive or unarchive, then delete, then configuration. All of them apply, or a `conflict`
 * says which one does not.
 */
export function acted(report: Lifecycle, actions: ReportActionRequest): Lifecycle {
  let { state, config } = report
  if (actions.archiveAction) {
    const [from, to] =
      actions.archiveAction.event === 'Archive'
        ? (['active', 'archived'] as const)
        : (['archived', 'active'] as const)
    if (state !== from)
      throw new Failure('conflict', `The report is ${state}; only ${from} ones can be made ${to}.`)
    state = to
  }
  if (actions.deleteAction) state = 'deleted'
  if (actions.contractModelConfigAction) {
    if (state === 'deleted') throw new Failure('conflict', 'A deleted report takes no configuration.')
    config = actions.contractModelConfigAction.config
  }
  return { state, config }
}
