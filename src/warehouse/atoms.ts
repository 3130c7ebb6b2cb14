import { Uint32List, type ListTable } from './interning.ts'

/** A partition of pairs: every published list of pairs is a union of atoms, and atoms share no pair. */
export interface Atoms {
  readonly count: number
  /** The atom of each pair. */
  readonly ofPair: Uint32Array
  /** The atoms of list i: `items[end[i - 1]] … items[end[i] - 1]`, ascending. */
  readonly end: Uint32Array
  readonly items: Uint32Array
}

/**
 * The coarsest partition of pairs that can express every list, by partition refinement.
 * Lists that are always published whole stay one atom; lists that overlap are cut where they do, so that unions and counts are exact
 * without looking at single pairs.
 */
export function atomsOf(pairs: number, lists: ListTable): Atoms {
  const ofPair = new Uint32Array(pairs)
  const sizes = new Uint32List()
  sizes.push(pairs)
  let met = new Uint32Array(1_024)
  let split = new Uint32Array(1_024)
  const touched = new Uint32List()
  for (let list = 0; list < lists.size; list++) {
    const from = lists.start(list)
    const to = lists.end.values[list]!
    touched.length = 0
    for (let i = from; i < to; i++) {
      const atom = ofPair[lists.items.values[i]!]!
      if (met[atom]!++ === 0) touched.push(atom)
    }
    let cut = false
    for (let i = 0; i < touched.length; i++) {
      const atom = touched.values[i]!
      const inside = met[atom]!
      met[atom] = 0
      if (inside === sizes.values[atom]) split[atom] = atom
      else {
        sizes.values[atom]! -= inside
        split[atom] = sizes.push(inside)
        cut = true
      }
    }
    if (sizes.length > met.length) {
      met = new Uint32Array(sizes.length * 2)
      const larger = new Uint32Array(sizes.length * 2)
      larger.set(split)
      split = larger
    }
    if (cut)
      for (let i = from; i < to; i++) {
        const pair = lists.items.values[i]!
        ofPair[pair] = split[ofPair[pair]!]!
      }
  }
  return expressed(ofPair, sizes.length, lists)
}

// Lists as atoms, atoms numbered in the order in which lists first name them: the same input always gives the same numbers.
function expressed(ofPair: Uint32Array, classes: number, lists: ListTable): Atoms {
  const unnamed = 0xffff_ffff
  const names = new Uint32Array(classes).fill(unnamed)
  const seenBy = new Uint32Array(classes).fill(unnamed)
  const end = new Uint32Array(lists.size)
  const items = new Uint32List()
  let count = 0
  for (let list = 0; list < lists.size; list++) {
    const start = items.length
    for (let i = lists.start(list); i < lists.end.values[list]!; i++) {
      const found = ofPair[lists.items.values[i]!]!
      if (seenBy[found] === list) continue
      seenBy[found] = list
      if (names[found] === unnamed) names[found] = count++
      items.push(names[found]!)
    }
    // Most lists are one atom.
    if (items.length > start + 1) items.values.subarray(start, items.length).sort()
    end[list] = items.length
  }
  for (let pair = 0; pair < ofPair.length; pair++) ofPair[pair] = names[ofPair[pair]!]!
  return { count, ofPair, end, items: items.trimmed() }
}
