import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '../../src/operations/report-record.ts'

/** Three codes of four demo payers in three states, two months of them. */
export const sampleQuery = {
  states: ['FL', 'GA', 'TX'],
  taxonomyCodes: ['207RC0000X', '207Q00000X', '207R00000X'],
  payers: ['Demo Everywhere', 'Demo Marigold', 'Demo Cobalt', 'Demo Atlantic'],
  billingCodeAndTypes: ['99213', '93306', '99214'].map((code) => ({ code, type: 'CPT' })),
  yearMonths: [
    { year: 2026, month: 9 },
    { year: 2026, month: 10 },
  ],
}

/** Asks the API as a program does. */
export async function askApi<Answer>(
  url: string,
  apiKey: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** A report that is ready, unconfigured. */
export async function makeBareReport(url: string, apiKey: string, name: string): Promise<string> {
  const { id } = await askApi<Report>(url, apiKey, '/reports', { name, query: sampleQuery })
  for (;;) {
    const { status, error } = await askApi<Report>(url, apiKey, `/reports/${id}`)
    if (status === 'ready') return id
    if (status === 'failed') throw new Error(`The report failed: ${error}`)
    await sleep(100)
  }
}

/** The two TINs with most rows of a report: one plays the user, the other a competitor. */
export async function busiestTins(url: string, apiKey: string, id: string) {
  const { data } = await askApi<{ data: { tin: number; tin_name: string }[] }>(
    url,
    apiKey,
    `/reports/${id}/rows`,
    { columns: ['tin', 'tin_name'], pagination: { pageSize: 10_000 } },
  )
  const counts = Map.groupBy(data, ({ tin }) => tin)
  return [...counts.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, 2)
    .map(([row]) => ({ value: row!.tin, title: row!.tin_name }))
}

/** A report with one TIN of one's own, a competitor, a mix and a revenue. */
export async function makeReport(
  url: string,
  apiKey: string,
  name = 'Office visits and echoes, three states',
) {
  const id = await makeBareReport(url, apiKey, name)
  const [yours, other] = await busiestTins(url, apiKey, id)
  await askApi(url, apiKey, `/reports/${id}/actions`, {
    contractModelConfigAction: {
      config: {
        isOutlierRemoved: true,
        compareColorsEnabled: true,
        yourTins: [yours],
        competitorColumns: [{ id: 'acrosstown', label: 'Across town', tins: [other], aggregation: 'median' }],
        payerMix: [
          { key: 'Demo Everywhere', percentOfBusiness: 60 },
          { key: 'Demo Atlantic', percentOfBusiness: 40 },
        ],
        totalAnnualRevenue: '$12,500,000',
      },
    },
  })
  return id
}
