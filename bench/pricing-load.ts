import type { MarketRow } from '../src/operations/rate-rows.ts'
import { Pricing } from '../src/pricing/pricing.ts'
import type { ProviderAttributes } from '../src/warehouse/provider-attributes.ts'
import type { Rates } from '../src/warehouse/rates.ts'
import { codeText, randomFrom, type Scale } from './pricing-data.ts'
import { marketQuestions } from './pricing-questions.ts'

/** Many clients at once, each asking narrow, medium and wide questions about codes of its own choice, one after the other. */
export async function load(
  rates: Rates,
  attributes: ProviderAttributes,
  scale: Scale,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<void> {
  const pricing = new Pricing(rates, { attributes: async () => attributes }, { secret: 'x'.repeat(32) })
  const questions = marketQuestions(scale)
  const times = new Map(questions.map(({ name }) => [name, [] as number[]]))
  const errors: string[] = []
  const end = performance.now() + seconds * 1_000
  const memory: number[] = []
  const watch = setInterval(() => memory.push(process.memoryUsage().rss), 1_000)
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const random = randomFrom(client + 1)
      while (performance.now() < end) {
        const pick = random()
        const { name, request } = questions[pick < 0.7 ? 0 : pick < 0.95 ? 1 : 2]!
        const codes = request.filters.billingCodeAndTypes.map(({ type }) => ({
          type,
          code: codeText(Math.floor(random() * scale.codes)),
        }))
        const asked = { ...request, filters: { ...request.filters, billingCodeAndTypes: codes } }
        const started = performance.now()
        await pricing.benchmarks(asked, { organization: `client ${client % 8}` }).then(
          ({ body }: { body: MarketRow[] }) => body.length,
          (error: unknown) => errors.push(String(error)),
        )
        times.get(name)!.push(performance.now() - started)
      }
    }),
  )
  clearInterval(watch)
  const at = (sorted: readonly number[], part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  console.log(
    `${clients} clients for ${seconds} s: ${errors.length} errors${errors.length > 0 ? ` (${errors[0]})` : ''}`,
  )
  for (const [name, list] of times) {
    const sorted = list.sort((a, b) => a - b)
    console.log(
      `  ${name}: ${sorted.length} answers, p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`,
    )
  }
  const mb = memory.map((bytes) => Math.round(bytes / 1e6))
  console.log(
    `  resident memory MB: ${mb[0]} at the start, ${mb[Math.floor(mb.length / 2)]} half-way, ${mb.at(-1)} at the end`,
  )
}
