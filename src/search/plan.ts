import type { FacetTest } from './columns.ts'
import type { OpenedIndex } from './opened-index.ts'

/** Words of which an entry must have one, and how many entries do (at most; an entry may have several). */
export interface Group {
  readonly tokens: readonly string[]
  readonly count: number
}

/**
 * Work that one question may still cost, counted in postings read. Counted, not timed, so that the same question
 * always gets the same answer.
 */
export interface Budget {
  postings: number
}

// What things cost, in postings read: to find a word's list, to draw a row from the lists, to fetch and compare its names.
const seekCost = 600
const drawCost = 30
const compareCost = 350
/** Rows that are drawn and thrown away by filters before a plan gives up. */
const drawsMax = 60_000
/** Rows whose names are compared for each one wanted before a plan gives up. */
const comparesPerWanted = 5

/**
 * The rows that have a word of every group and pass every filter, in rank order, until `take` says it has enough.
 * The rarest group leads. A denser one joins the posting-list query only where reading its list is cheaper than
 * comparing the names of what the rarer ones leave; whoever takes the rows compares them anyway.
 */
export function drawRows(
  index: OpenedIndex,
  groups: readonly Group[],
  filters: readonly FacetTest[],
  budget: Budget,
  want: number,
  take: (row: number) => boolean,
): void {
  if (groups.some(({ count }) => count === 0) || filters.some(({ count }) => count === 0)) return
  const total = Math.max(1, index.rows)
  const [lead, ...others] = groups.toSorted((a, b) => leadCost(a) - leadCost(b))
  if (lead === undefined) return
  const joined = [lead.tokens]
  let left = lead.count
  let read = listCost(lead)
  for (const group of others) {
    if (listCost(group) >= left * compareCost) continue
    joined.push(group.tokens)
    read += listCost(group)
    left = Math.max(1, left * Math.sqrt(group.count / total))
  }
  const checked: FacetTest[] = []
  for (const filter of filters.toSorted((a, b) => a.count - b.count)) {
    if (listCost(filter) >= left * drawCost || filter.tokens.length > 12) checked.push(filter)
    else {
      joined.push(filter.tokens)
      read += listCost(filter)
      left = Math.max(1, (left * filter.count) / total)
    }
  }
  // Lists in rank order stop early when more is left than wanted.
  const cost = read * Math.min(1, want / left)
  if (cost > budget.postings) return
  budget.postings -= cost
  const expression = joined.map(anyOf).join(' AND ')
  let [draws, compared] = [0, 0]
  for (const row of index.matching(expression, drawsMax)) {
    draws++
    if (!checked.every((filter) => filter.passes(row))) continue
    budget.postings -= compareCost
    compared++
    if (!take(row) || budget.postings < 0 || compared > want * comparesPerWanted) break
  }
  budget.postings -= draws * drawCost
}

const listCost = ({ count, tokens }: Group) => count + tokens.length * seekCost
const leadCost = (group: Group) => listCost(group) + group.count * compareCost

const quoted = (token: string) => `"${token}"`
const anyOf = (tokens: readonly string[]) =>
  tokens.length === 1 ? quoted(tokens[0] ?? '') : `(${tokens.map(quoted).join(' OR ')})`
