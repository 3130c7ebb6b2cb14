import { Failure, type FailureCode } from '../errors.ts'

/** Why an operation is refused; the batch adds which one it was. */
export class EditRefusal extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, says: string) {
    super(says)
    this.code = code
  }

  at(operationIndex: number): Failure {
    return new Failure(this.code, this.message, { more: { operationIndex } })
  }
}

/** What a batch of corrections is checked against, beside the entities themselves. */
export interface EditBasis {
  /** The evidence that the contract has. */
  readonly evidenceIds: ReadonlySet<string>
  readonly isPayer: (payer: string) => boolean
}

export type Entity = { id: string } & Record<string, unknown>
