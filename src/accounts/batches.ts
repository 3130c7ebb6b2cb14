/**
 * Does together what is asked for at about the same time: one trip to the database instead of many.
 *
 * What arrives during one turn of the event loop, or while the last batch is under way, makes the next batch, so
 * batches grow with the load and nobody waits for a clock. A batch never holds what began before an item arrived.
 */
export class Batches<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #most: number
  #waiting: Waiting<Item, Result>[] = []
  #working: Promise<void> | undefined

  /** `work` gives the results in the order of the items. When it fails, every item of the batch does. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, most = 1_000) {
    this.#work = work
    this.#most = most
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#working ??= this.#workAll()
    })
  }

  /** Resolves when everything so far is done. */
  async drained(): Promise<void> {
    while (this.#working) await this.#working
  }

  async #workAll(): Promise<void> {
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most)
      try {
        const results = await this.#work(batch.map(({ item }) => item))
        for (const [at, { resolve }] of batch.entries()) resolve(results[at]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#working = undefined
  }
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}
