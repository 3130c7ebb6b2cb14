/** How far a load is. `of` is not a number where the whole is not known. */
export interface ProgressStep {
  readonly stage: 'download' | 'unpack' | 'read' | 'merge' | 'publish'
  readonly file?: string
  readonly done?: number
  readonly of?: number
}

/** Where a load tells how far it is. */
export type Progress = (step: ProgressStep) => void
