import type { Service } from '../service.ts'
import { payerOf } from '../vocabulary/payers.ts'

const shown = 40

/** The payers that have published data here, those of some states first: what a model can ask about on this server. */
export async function payersWithData(
  { rates }: Pick<Service, 'rates'>,
  states: readonly unknown[] = [],
): Promise<string[]> {
  const snapshot = await rates.current()
  const names = [...new Set(snapshot.builds.map(({ payer }) => payer))].sort()
  const isNear = (payer: string) => {
    const where = payerOf(payer)?.states ?? []
    return states.length > 0 && where.some((state) => states.includes(state))
  }
  return [...names.filter(isNear), ...names.filter((payer) => !isNear(payer))]
}

/** A list of names that stays readable. */
export const listed = (names: readonly string[]) =>
  names.length > shown
    ? `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`
    : names.join(', ')
