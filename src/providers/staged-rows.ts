import { listMark } from './stage.ts'

/** SQL that hands a list over as text. */
export const joined = (list: string) => `array_to_string(${list}, '${listMark}')`

/** The members of a list that was handed over as text. */
export const listOf = (text: unknown): string[] =>
  typeof text === 'string' && text !== '' ? text.split(listMark) : []

/** The places of the ones in a text of bits: the payers that list a provider. */
export function bitsOf(text: unknown): number[] {
  const found: number[] = []
  if (typeof text === 'string')
    for (let at = text.indexOf('1'); at >= 0; at = text.indexOf('1', at + 1)) found.push(at)
  return found
}

/** Reads a stream whose rows begin with a rank, in order of rank: each call gives the rows of that rank. */
export function follower(
  rows: AsyncGenerator<readonly unknown[]>,
): (rank: number) => Promise<(readonly unknown[])[]> {
  let ahead: readonly unknown[] | undefined
  let ended = false
  return async (rank) => {
    const found: (readonly unknown[])[] = []
    while (!ended) {
      if (ahead === undefined) {
        const next = await rows.next()
        if (next.done === true) {
          ended = true
          break
        }
        ahead = next.value
      }
      if (Number(ahead[0]) > rank) break
      if (Number(ahead[0]) === rank) found.push(ahead)
      ahead = undefined
    }
    return found
  }
}
