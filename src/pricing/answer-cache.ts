/** Answers kept for the state of the data they were computed on, the least recently asked forgotten first. */
export class AnswerCache {
  private readonly most: number
  private readonly kept = new Map<string, { readonly answer: unknown; readonly weight: number }>()
  private weight = 0

  /** @param most How many rows may be kept in all. */
  constructor(most = 500_000) {
    this.most = most
  }

  get(key: string): unknown {
    const found = this.kept.get(key)
    if (!found) return undefined
    this.kept.delete(key)
    this.kept.set(key, found)
    return found.answer
  }

  set(key: string, answer: unknown, rows: number): void {
    const weight = rows + 1
    if (weight > this.most / 2) return
    this.weight += weight - (this.kept.get(key)?.weight ?? 0)
    this.kept.delete(key)
    this.kept.set(key, { answer, weight })
    for (const [oldest, { weight }] of this.kept) {
      if (this.weight <= this.most) return
      this.kept.delete(oldest)
      this.weight -= weight
    }
  }
}
