/** A text for each of many rows, of which there are few different ones: two bytes a row. */
export class CodedColumn {
  readonly #codes: Uint16Array
  readonly #texts: string[] = []
  readonly #codeOf = new Map<string, number>()

  constructor(rows: number) {
    this.#codes = new Uint16Array(rows)
  }

  set(row: number, text: string): void {
    let code = this.#codeOf.get(text)
    if (code === undefined) {
      code = this.#texts.push(text) - 1
      if (code > 65_535) throw new Error('more than 65,536 different texts in a column')
      this.#codeOf.set(text, code)
    }
    this.#codes[row] = code
  }

  at(row: number): string {
    return this.#texts[this.#codes[row] ?? 0] ?? ''
  }
}
