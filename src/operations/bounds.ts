import { z } from 'zod'

/** What a list may hold where the contract names no smaller number. */
export const listMost = 1_000

/**
 * A list of at most so many items. The length is checked before the items:
 * a message for each of a hundred thousand wrong values would keep every other caller waiting.
 */
export function list<Item extends z.ZodType>(item: Item, most = listMost) {
  return z.array(item).max(most, { abort: true, error: `at most ${most.toLocaleString('en-US')}` })
}

/** A result limit that clamps instead of refusing: more than `most` returns at most that many. */
export function clampedLimit(most: number, fallback: number, number: z.ZodNumber = z.number()) {
  return number
    .min(1, 'at least 1')
    .transform((limit) => Math.min(Math.floor(limit), most))
    .default(fallback)
    .describe(
      `How many results at most; default ${fallback}; above ${most.toLocaleString('en-US')} returns at most ${most.toLocaleString('en-US')}`,
    )
    .meta({ examples: [10] })
}
