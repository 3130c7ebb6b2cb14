import type { SavedContractModelConfig } from '../operations/contract-model.ts'
import { amountFromText } from '../vocabulary/amount.ts'
import type { ModelCell } from './model.ts'

type Mix = NonNullable<SavedContractModelConfig['payerMix']>

/** Which part of the business a cell is: a fraction of whole numbers. */
export interface Share {
  readonly part: bigint
  readonly whole: bigint
}

// Of one weight when several codes of a key divide it between them: divisible by every small count.
const divisible = 720_720n

/** Percents as whole ten-thousandths; below zero counts as zero. */
function weights(mix: Mix): Map<string, bigint> {
  const found = new Map<string, bigint>()
  for (const { key, percentOfBusiness } of mix) {
    const weight = amountFromText(String(percentOfBusiness)) ?? 0n
    if (weight > 0n) found.set(key.trim().toLowerCase(), (found.get(key.trim().toLowerCase()) ?? 0n) + weight)
  }
  return found
}

const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n)

/**
 * The share of each cell in the business: the payer's share times the code's. Shares are relative to the sum of the mix;
 * without a mix every payer (or code) that has a cell counts alike. A code named without its type, where a payer has it under several types,
 * is divided between them evenly.
 */
export function shares(
  cells: readonly ModelCell[],
  { payerMix = [], billingCodeMix = [] }: Pick<SavedContractModelConfig, 'payerMix' | 'billingCodeMix'>,
): Share[] {
  const payers = weights(payerMix)
  const codes = weights(billingCodeMix)
  const typed = (cell: ModelCell) => `${cell.billing_code_type} ${cell.billing_code}`.toLowerCase()
  const plain = (cell: ModelCell) => cell.billing_code.toLowerCase()
  const payerNames = new Set(cells.map(({ payer }) => payer))
  const codeNames = new Set(cells.map(typed))
  const namesakes = new Map<string, number>()
  for (const cell of cells) {
    const key = JSON.stringify([cell.payer, plain(cell)])
    if (!codes.has(typed(cell))) namesakes.set(key, (namesakes.get(key) ?? 0) + 1)
  }
  const payerWhole = payers.size > 0 ? sum(payers.values()) : BigInt(payerNames.size)
  const codeWhole = codes.size > 0 ? sum(codes.values()) : BigInt(codeNames.size)
  return cells.map((cell) => {
    // Rows over all payers have no payer's share to take.
    const isOverall = cell.payer === null
    const payerPart = isOverall ? 1n : payers.size > 0 ? (payers.get(cell.payer!.toLowerCase()) ?? 0n) : 1n
    const whole = (isOverall ? 1n : payerWhole) * codeWhole * divisible
    return { part: payerPart * codePart(cell), whole: whole === 0n ? 1n : whole }
  })

  function codePart(cell: ModelCell): bigint {
    if (codes.size === 0) return divisible
    const own = codes.get(typed(cell))
    if (own !== undefined) return own * divisible
    const shared = codes.get(plain(cell)) ?? 0n
    const among = BigInt(namesakes.get(JSON.stringify([cell.payer, plain(cell)])) ?? 1)
    return (shared * divisible) / among
  }
}
