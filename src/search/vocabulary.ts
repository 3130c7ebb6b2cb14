/** A word of the vocabulary and how many entries bear it. */
export interface Term {
  readonly word: string
  readonly count: number
}

/** A vocabulary word near a typed one. */
export interface Neighbour extends Term {
  /** Letters put in, left out, changed, or swapped with the next. */
  readonly distance: number
}

const headerWords = 2

/**
 * Every word of an index as a trie in one flat block of memory, which all threads share.
 * Nodes stand in breadth-first order, so a node's children are neighbours: node n's are first[n] up to first[n + 1].
 */
export class Vocabulary {
  readonly #first: Uint32Array
  readonly #counts: Uint32Array
  readonly #letters: Uint8Array
  readonly size: number

  constructor(block: SharedArrayBuffer) {
    const [nodes = 0, size = 0] = new Uint32Array(block, 0, headerWords)
    this.size = size
    this.#first = new Uint32Array(block, headerWords * 4, nodes + 1)
    this.#counts = new Uint32Array(block, (headerWords + nodes + 1) * 4, nodes)
    this.#letters = new Uint8Array(block, (headerWords + 2 * nodes + 1) * 4, nodes)
  }

  /** How many entries bear the word; 0 where none does. */
  count(word: string): number {
    const node = this.#nodeAt(word)
    return node === undefined ? 0 : (this.#counts[node] ?? 0)
  }

  /** Whether any word begins so. */
  hasPrefix(prefix: string): boolean {
    return this.#nodeAt(prefix) !== undefined
  }

  /** The words that begin so, the most frequent first; at most `most`, found within `nodesMax` steps. */
  completions(prefix: string, most: number, nodesMax = 20_000): Term[] {
    const start = this.#nodeAt(prefix)
    if (start === undefined) return []
    const found: Term[] = []
    const open: { node: number; word: string }[] = [{ node: start, word: prefix }]
    for (let step = 0; step < nodesMax; step++) {
      const next = open.pop()
      if (next === undefined) break
      const count = this.#counts[next.node] ?? 0
      if (count > 0) found.push({ word: next.word, count })
      const end = this.#first[next.node + 1] ?? 0
      for (let child = this.#first[next.node] ?? 0; child < end; child++)
        open.push({ node: child, word: next.word + String.fromCharCode(this.#letters[child] ?? 0) })
    }
    return found.sort(byCount).slice(0, most)
  }

  /** Every other word within one or two slips of the pen (a letter more, less, other, or two swapped). */
  neighbours(word: string, distanceMax: 1 | 2): Neighbour[] {
    const found = new Map<string, Neighbour>()
    this.#walk(0, word, 0, distanceMax, distanceMax, '', found)
    found.delete(word)
    return [...found.values()]
  }

  /** The words with which the letters from `start` on begin, longest first: where a glued word can be cut. */
  beginnings(letters: string, start: number): Term[] {
    const found: Term[] = []
    let node: number | undefined = 0
    for (let place = start; place < letters.length; place++) {
      node = this.#child(node, letters.charCodeAt(place))
      if (node === undefined) break
      const count = this.#counts[node] ?? 0
      if (count > 0) found.push({ word: letters.slice(start, place + 1), count })
    }
    return found.reverse()
  }

  #nodeAt(letters: string): number | undefined {
    let node: number | undefined = 0
    for (let place = 0; place < letters.length && node !== undefined; place++)
      node = this.#child(node, letters.charCodeAt(place))
    return node
  }

  #child(node: number, letter: number): number | undefined {
    let low = this.#first[node] ?? 0
    let high = this.#first[node + 1] ?? 0
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#letters[middle] ?? 0
      if (there === letter) return middle
      if (there < letter) low = middle + 1
      else high = middle
    }
    return undefined
  }

  #walk(
    node: number,
    word: string,
    place: number,
    left: number,
    allowed: number,
    soFar: string,
    found: Map<string, Neighbour>,
  ): void {
    if (place === word.length) {
      const count = this.#counts[node] ?? 0
      const distance = allowed - left
      if (count > 0 && (found.get(soFar)?.distance ?? 9) > distance)
        found.set(soFar, { word: soFar, count, distance })
    } else {
      const same = this.#child(node, word.charCodeAt(place))
      if (same !== undefined) this.#walk(same, word, place + 1, left, allowed, soFar + word[place], found)
    }
    if (left === 0) return
    if (place < word.length) {
      this.#walk(node, word, place + 1, left - 1, allowed, soFar, found)
      const [here, next] = [word[place], word[place + 1]]
      if (next !== undefined && next !== here) {
        const first = this.#child(node, word.charCodeAt(place + 1))
        const second = first === undefined ? undefined : this.#child(first, word.charCodeAt(place))
        if (second !== undefined)
          this.#walk(second, word, place + 2, left - 1, allowed, `${soFar}${next}${here}`, found)
      }
    }
    const end = this.#first[node + 1] ?? 0
    for (let child = this.#first[node] ?? 0; child < end; child++) {
      const letter = String.fromCharCode(this.#letters[child] ?? 0)
      if (letter !== word[place] && place < word.length)
        this.#walk(child, word, place + 1, left - 1, allowed, soFar + letter, found)
      this.#walk(child, word, place, left - 1, allowed, soFar + letter, found)
    }
  }
}

const byCount = (a: Term, b: Term) => b.count - a.count || (a.word < b.word ? -1 : 1)

/** The flat block of a vocabulary, from how often each word occurs. */
export function vocabularyBlock(counts: ReadonlyMap<string, number>): Uint8Array {
  const sorted = [...counts.keys()].sort()
  let nodes = 1
  let before = ''
  for (const word of sorted) {
    let shared = 0
    while (shared < before.length && before[shared] === word[shared]) shared++
    nodes += word.length - shared
    before = word
  }
  const block = new ArrayBuffer((headerWords + 2 * nodes + 1) * 4 + nodes)
  new Uint32Array(block, 0, headerWords).set([nodes, sorted.length])
  const first = new Uint32Array(block, headerWords * 4, nodes + 1)
  const count = new Uint32Array(block, (headerWords + nodes + 1) * 4, nodes)
  const letters = new Uint8Array(block, (headerWords + 2 * nodes + 1) * 4, nodes)
  // Breadth first over ranges of the sorted list: a node is the range of words that share its letters.
  let level = Uint32Array.of(0, sorted.length)
  let made = 1
  let node = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: number[] = []
    for (let range = 0; range < level.length; range += 2) {
      let [start = 0, end = 0] = level.subarray(range, range + 2)
      first[node] = made
      if (sorted[start]?.length === depth) {
        count[node] = counts.get(sorted[start] ?? '') ?? 0
        start++
      }
      while (start < end) {
        const letter = sorted[start]?.charCodeAt(depth) ?? 0
        let stop = start + 1
        while (stop < end && sorted[stop]?.charCodeAt(depth) === letter) stop++
        letters[made] = letter
        made++
        next.push(start, stop)
        start = stop
      }
      node++
    }
    level = Uint32Array.from(next)
  }
  first[node] = made
  return new Uint8Array(block)
}
