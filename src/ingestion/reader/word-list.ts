/** A list of words that grows, with its bytes for digesting. */
export class Words {
  array = new Uint32Array(1024)
  bytes = new Uint8Array(this.array.buffer)
  view = new DataView(this.array.buffer)
  length = 0

  push(word: number): void {
    if (this.length === this.array.length) this.#grow()
    this.array[this.length++] = word
  }

  #grow(): void {
    const array = new Uint32Array(this.array.length * 2)
    array.set(this.array)
    this.array = array
    this.bytes = new Uint8Array(array.buffer)
    this.view = new DataView(array.buffer)
  }

  /** Ascending and distinct from `start` on. */
  sortDistinct(start = 0): void {
    const { array } = this
    let sorted = true
    for (let index = start + 1; index < this.length && sorted; index++) {
      sorted = array[index - 1]! < array[index]!
    }
    if (sorted) return
    if (this.length - start <= shortList) insertionSort(array, start, this.length)
    else array.subarray(start, this.length).sort()
    let kept = start + 1
    for (let index = start + 1; index < this.length; index++) {
      if (array[index] !== array[kept - 1]) array[kept++] = array[index]!
    }
    this.length = kept
  }
}

/** Up to this length, sorting in place beats the call of the library. */
const shortList = 48

function insertionSort(array: Uint32Array, start: number, end: number): void {
  for (let index = start + 1; index < end; index++) {
    const word = array[index]!
    let place = index
    for (; place > start && array[place - 1]! > word; place--) array[place] = array[place - 1]!
    array[place] = word
  }
}
