import { setTimeout as sleep } from 'node:timers/promises'
import type { Contract } from '../../src/operations/contracts.ts'
import { askApi } from './sample-report.ts'

/** A short contract between a payer and a clinic. */
export const agreement = [
  'PROVIDER AGREEMENT',
  'This Agreement is made between Aetna Health Inc., a Texas corporation ("Plan"), and Cedar Valley Clinic, P.A. ("Provider"), effective January 1, 2024. Provider NPI: 1234567893.',
  '4.1 Compensation. Plan shall pay Provider one hundred ten percent (110%) of the Medicare Physician Fee Schedule.',
  '5.1 Termination Without Cause. Either party may terminate this Agreement on ninety (90) days written notice.',
].join('\n\n')

/** A contract that has been read. */
export async function makeContract(url: string, apiKey: string, name: string): Promise<string> {
  const { id } = await askApi<Contract>(url, apiKey, '/contracts', { name, text: agreement })
  for (;;) {
    const { status, error } = await askApi<Contract>(url, apiKey, `/contracts/${id}`)
    if (status === 'ready') return id
    if (status === 'failed') throw new Error(`The contract failed: ${error?.message}`)
    await sleep(100)
  }
}
