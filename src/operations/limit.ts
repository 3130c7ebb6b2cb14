import { z } from 'zod'

/** A result limit that clamps instead of refusing: more than `most` returns at most that many. */
export function clampedLimit(most: number, fallback: number) {
  return z
    .number()
    .min(1, 'at least 1')
    .transform((limit) => Math.min(Math.floor(limit), most))
    .default(fallback)
    .describe(
      `How many results at most; default ${fallback}; above ${most.toLocaleString('en-US')} returns at most ${most.toLocaleString('en-US')}`,
    )
    .meta({ examples: [10] })
}
