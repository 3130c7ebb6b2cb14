import type { FacetTest } from './columns.ts'
import { commonRows, type AnyOf } from './common-rows.ts'
import type { OpenedIndex } from './opened-index.ts'
import { RowList } from './row-list.ts'

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
  /** Rows of rare words that were read for it already; its steps ask for the same words again and again. */
  readonly read: Map<string, RowList>
}

// What things cost, in postings read: to find a word's list, to draw a row from the lists, to fetch and compare its
// names, to enter one block of one frequent word, to look at one of its rows there.
const seekCost = 600
const drawCost = 70
const compareCost = 900
const blockCost = 3
const bitCost = 0.1
const rareRowCost = 35
/** Rows that are drawn and thrown away by filters before a plan gives up. */
const drawsMax = 60_000
/** Rows whose names are compared for each one wanted before a plan gives up. */
const comparesPerWanted = 5
/** Of rare words beside frequent ones so many rows are taken. */
const rareMax = 20_000

/** A group whose words are sorted by where their rows are found. */
interface Sorted extends Group {
  readonly frequent: readonly string[]
  readonly rare: readonly string[]
}

/**
 * The rows that have a word of every group and pass every filter, in rank order, until `take` says it has enough.
 * Where every group has a frequent word, their lists are compared block by block. Else the group of rare words that
 * few entries bear leads, and the others are looked up for each row that it yields.
 */
export function drawRows(
  index: OpenedIndex,
  groups: readonly Group[],
  filters: readonly FacetTest[],
  budget: Budget,
  want: number,
  take: (row: number) => boolean,
): void {
  if (groups.length === 0 || groups.some(({ count }) => count === 0)) return
  if (filters.some(({ count }) => count === 0)) return
  const sorted = groups.map((group) => ({
    ...group,
    frequent: group.tokens.filter((token) => index.frequent.has(token)),
    rare: group.tokens.filter((token) => !index.frequent.has(token)),
  }))
  const listed = sorted.filter(({ frequent }) => frequent.length === 0)
  if (listed.length > 0) drawListed(index, listed, sorted, filters, budget, want, take)
  else drawFrequent(index, sorted, filters, budget, want, take)
}

function drawFrequent(
  index: OpenedIndex,
  groups: readonly Sorted[],
  filters: readonly FacetTest[],
  budget: Budget,
  want: number,
  take: (row: number) => boolean,
): void {
  const lists = groups.reduce(
    (sum, { frequent, rare }) => sum + frequent.length + Math.min(1, rare.length),
    0,
  )
  const rows = groups.reduce((sum, { count }) => sum + Math.min(count, index.rows), 0)
  const unread = groups.filter(({ rare }) => rare.length > 0 && !budget.read.has(anyOf(rare)))
  const cost =
    lists * index.frequent.blocks * blockCost +
    rows * bitCost +
    unread.reduce((sum, group) => sum + rareCost(index, group), 0)
  if (cost > budget.postings) return
  budget.postings -= cost
  const wanted = groups.map((group) => listsOf(index, group, budget))
  const passes = (row: number) => filters.every((filter) => filter.passes(row))
  compareRows(commonRows(wanted, index.frequent.blocks), passes, budget, want, take)
}

function drawListed(
  index: OpenedIndex,
  listed: readonly Sorted[],
  all: readonly Sorted[],
  filters: readonly FacetTest[],
  budget: Budget,
  want: number,
  take: (row: number) => boolean,
): void {
  const total = Math.max(1, index.rows)
  const [lead, ...others] = listed.toSorted((a, b) => leadCost(a) - leadCost(b))
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
    const isListed = filter.tokens.length <= 12 && filter.tokens.every((token) => !index.frequent.has(token))
    if (!isListed || listCost(filter) >= left * drawCost) checked.push(filter)
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
  // Rare words beside frequent ones are left to the comparison of names.
  const tests = all
    .filter(({ frequent, rare }) => frequent.length > 0 && rare.length === 0)
    .map(({ frequent }) => frequent.map((token) => index.frequent.list(token)))
  const passes = (row: number) =>
    checked.every((filter) => filter.passes(row)) && tests.every((any) => any.some((list) => list.has(row)))
  compareRows(index.matching(joined.map(anyOf).join(' AND '), drawsMax), passes, budget, want, take)
}

function compareRows(
  rows: Iterable<number>,
  passes: (row: number) => boolean,
  budget: Budget,
  want: number,
  take: (row: number) => boolean,
): void {
  let [draws, compared] = [0, 0]
  for (const row of rows) {
    draws++
    if (!passes(row)) {
      if (draws > drawsMax) break
      continue
    }
    budget.postings -= compareCost
    compared++
    if (!take(row) || budget.postings < 0 || compared > want * comparesPerWanted) break
  }
  budget.postings -= draws * drawCost
}

/** The entries of a group: the lists of its frequent words, and a list of the rows of its rare ones. */
function listsOf(index: OpenedIndex, { frequent, rare }: Sorted, { read }: Budget): AnyOf {
  const lists = frequent.map((token) => index.frequent.list(token))
  if (rare.length === 0) return lists
  const expression = anyOf(rare)
  let rows = read.get(expression)
  if (rows === undefined) {
    rows = RowList.of([...index.matching(expression, rareMax)], index.frequent.blocks)
    read.set(expression, rows)
  }
  return [...lists, rows]
}

/** What it costs to read the rows of a group's rare words. */
function rareCost(index: OpenedIndex, { rare }: Sorted): number {
  const rows = rare.reduce((sum, token) => sum + index.vocabulary.count(token), 0)
  return rare.length * seekCost + Math.min(rows, rareMax) * rareRowCost
}

const listCost = ({ count, tokens }: Group) => count + tokens.length * seekCost
const leadCost = (group: Group) => listCost(group) + group.count * compareCost

const quoted = (token: string) => `"${token}"`
const anyOf = (tokens: readonly string[]) =>
  tokens.length === 1 ? quoted(tokens[0] ?? '') : `(${tokens.map(quoted).join(' OR ')})`
