/** Something odd in a publisher's file, and where. */
export interface Finding {
  readonly file: string
  /** Line of the first occurrence, where it is known. */
  readonly line?: number
  readonly column?: string
  readonly says: string
  /** How often it was met. */
  readonly count: number
  /** A `note` only informs; a `problem` means that something of the file was not taken. */
  readonly weight: 'note' | 'problem'
}

export interface FindingPlace {
  readonly line?: number | undefined
  readonly column?: string | undefined
  readonly count?: number | undefined
}

// A file that is wrong on every line says so once, with a count; this bounds the different things one load can say.
const findingsMax = 1_000

/** Gathers what is odd in the files of one load: the first place of each kind, and how often it was met. */
export class Findings {
  readonly #byText = new Map<string, Finding>()
  #left = 0

  note(file: string, says: string, place: FindingPlace = {}): void {
    this.#add('note', file, says, place)
  }

  problem(file: string, says: string, place: FindingPlace = {}): void {
    this.#add('problem', file, says, place)
  }

  get list(): Finding[] {
    const list = [...this.#byText.values()]
    return this.#left === 0
      ? list
      : [...list, { file: '', says: 'more findings than are listed', count: this.#left, weight: 'problem' }]
  }

  #add(
    weight: Finding['weight'],
    file: string,
    says: string,
    { line, column, count = 1 }: FindingPlace,
  ): void {
    const key = `${file}\0${column ?? ''}\0${says}`
    const known = this.#byText.get(key)
    if (known !== undefined) this.#byText.set(key, { ...known, count: known.count + count })
    else if (this.#byText.size >= findingsMax) this.#left += count
    else
      this.#byText.set(key, {
        file,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        says,
        count,
        weight,
      })
  }
}
