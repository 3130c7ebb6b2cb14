import { join } from 'node:path'
import { status } from '../ingestion/status.ts'
import { medicareRates } from '../medicare/rates.ts'
import type { MedicareStore } from '../medicare/store.ts'
import type { WebRequest, WebResponse } from '../operations/app.ts'
import { filesShownMost } from '../operations/data-views.ts'
import type { Pricing } from '../pricing/pricing.ts'
import { states } from '../vocabulary/enums.ts'
import { payerOf, payers } from '../vocabulary/payers.ts'
import { type SourceMonth, sourceMonthFromText, yearMonthOf } from '../vocabulary/period.ts'
import { taxonomies } from '../vocabulary/taxonomy.ts'
import type { Rates, Snapshot } from '../warehouse/rates.ts'

const monthText = (month: SourceMonth) => {
  const period = yearMonthOf(month)
  return `${period.year}-${String(period.month).padStart(2, '0')}`
}

const isSynthetic = (snapshot: Snapshot) =>
  snapshot.builds.some(({ payer }) => payerOf(payer)?.synthetic === true)

/** Every payer of the registry with the months loaded for it. */
export async function catalog(rates: Rates): Promise<WebResponse<'catalog'>> {
  const snapshot = await rates.current()
  return {
    snapshot: snapshot.id,
    synthetic: isSynthetic(snapshot),
    payers: payers().map(({ payer, name, states: where, synthetic = false }) => ({
      payer,
      name,
      states: [...where],
      synthetic,
      months: snapshot.months(payer).map(monthText),
    })),
  }
}

const codesShown = 20

/** Codes of the newest months that begin with a text. */
export async function codesLike(
  rates: Rates,
  query: string,
  groupOf: (type: string, code: string) => string | null,
): Promise<WebResponse<'codes'>> {
  const snapshot = await rates.current()
  const wanted = query.toUpperCase()
  const found = new Map<string, { code: string; type: string; prices: number }>()
  for (const { codes } of snapshot.latest())
    for (const [row, code] of codes.code.entries()) {
      if (!code.startsWith(wanted)) continue
      const type = codes.type[row]!
      const known = found.get(`${type} ${code}`) ?? { code, type, prices: 0 }
      known.prices += codes.rows[row]!
      found.set(`${type} ${code}`, known)
    }
  return [...found.values()]
    .sort((a, b) => a.code.length - b.code.length || b.prices - a.prices || (a.code < b.code ? -1 : 1))
    .slice(0, codesShown)
    .map((line) => ({ ...line, group: groupOf(line.type, line.code) }))
}

const examplePayers = 6
const exampleCode = { code: '99213', type: 'CPT' } as const

/** A benchmark that anybody may see: an office visit by payer. Computed once for each state of the data. */
export function exampleOf(rates: Rates, pricing: Pricing): () => Promise<WebResponse<'example'>> {
  let kept: { snapshot: string; answer: WebResponse<'example'> } | undefined
  return async () => {
    const snapshot = await rates.current()
    if (kept?.snapshot === snapshot.id) return kept.answer
    const chosen = snapshot
      .latest()
      .filter((build) => build.rowsOfCode(exampleCode.type, exampleCode.code).length > 0)
      .slice(0, examplePayers)
    const answer: WebResponse<'example'> = { synthetic: isSynthetic(snapshot), code: null, rows: [] }
    if (chosen.length > 0) {
      const { body } = await pricing.benchmarks(
        {
          filters: {
            states: [...states],
            taxonomyCodes: taxonomies.map(({ code }) => code),
            payers: chosen.map(({ payer }) => payer),
            billingCodeAndTypes: [exampleCode],
          },
          metrics: {
            aggregations: [
              'percentile_10',
              'percentile_25',
              'percentile_50',
              'percentile_75',
              'percentile_90',
              'num_distinct_npis',
              'num_distinct_tins',
            ],
          },
          groupBy: ['payer'],
        },
        { organization: 'example', snapshot: snapshot.id },
      )
      answer.rows = body
      if (body.length > 0) answer.code = exampleCode
    }
    kept = { snapshot: snapshot.id, answer }
    return answer
  }
}

/** What is loaded, month by month. */
export async function loadedMonths(dataFolder: string): Promise<WebResponse<'loadedMonths'>> {
  const { snapshot, payers: loaded } = await status(join(dataFolder, 'rates'))
  return {
    snapshot,
    months: loaded.flatMap(({ payer, name, synthetic, months }) =>
      months.map(({ month, publishedAt, bytes, counts, quality }) => ({
        payer,
        name,
        synthetic,
        month: monthText(month as SourceMonth),
        publishedAt,
        bytes,
        counts: counts as Record<string, number>,
        quality: { ...quality },
      })),
    ),
  }
}

/** A page of the files behind a payer's month, with their findings. */
export async function loadedFiles(
  dataFolder: string,
  { payer, month, digest, odd, start }: WebRequest<'loadedFiles'>,
): Promise<WebResponse<'loadedFiles'>> {
  const { payers: loaded } = await status(join(dataFolder, 'rates'), {
    payer,
    month: sourceMonthFromText(month)!,
  })
  const wanted = loaded
    .flatMap(({ months }) => months.flatMap(({ files = [] }) => files))
    .filter(
      (file) =>
        (digest === undefined || file.digest === digest) && (odd === undefined || file.findings.length > 0),
    )
  return {
    total: wanted.length,
    files: wanted.slice(start, start + filesShownMost).map((file) => ({ ...file })),
  }
}

/** Rows of a Medicare table; those of the fee schedule with everything they are multiplied with. */
export const medicareView = async (
  store: MedicareStore,
  request: WebRequest<'medicare'>,
): Promise<WebResponse<'medicare'>> => (await medicareRates(store, request)).map((row) => ({ ...row }))
