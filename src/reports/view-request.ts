import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import type { Operation, RequestOf } from '../operations/operation.ts'

/** A tab's request, with the configuration that holds for it: its own, or the saved one. */
export type ViewRequest<Op extends Operation> = Omit<RequestOf<Op>, 'id' | 'config'> & {
  readonly config?: SavedContractModelConfig | undefined
}
