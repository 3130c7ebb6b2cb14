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

/** The same with many pages before its last clause. */
export const longAgreement = [
  agreement,
  ...Array.from(
    { length: 12 },
    (_, at) =>
      `Page of definitions ${at + 2}.\n\n${'A word that is defined means what it says.\n'.repeat(30)}`,
  ),
  '9.9 Notices. Every notice under this Agreement is given in writing and by certified mail.',
].join('\f')

/** A contract that has been read. */
export async function makeContract(
  url: string,
  apiKey: string,
  name: string,
  text = agreement,
): Promise<string> {
  const { id } = await askApi<Contract>(url, apiKey, '/contracts', { name, text })
  const { status, error } = await settledContract(url, apiKey, id)
  if (status === 'failed') throw new Error(`The contract failed: ${error?.message}`)
  return id
}

/** A contract that has been read, and corrected once. */
export async function makeCorrectedContract(url: string, apiKey: string, name: string): Promise<string> {
  const id = await makeContract(url, apiKey, name)
  await askApi(url, apiKey, `/contracts/${id}/edits`, {
    requestId: 'signed',
    baseRevision: 0,
    operations: [
      { operation: 'set', entityId: 'root', fieldPath: 'contractTerms.signedDate', value: '2023-12-15' },
      {
        operation: 'append_entity',
        entityId: 'root',
        fieldPath: 'contractScope.states',
        value: { id: 'added-1', value: 'Texas', normalizedValue: 'TX' },
      },
    ],
  })
  return id
}

/** A contract without words, which therefore cannot be read. */
export async function makeScan(url: string, apiKey: string, name: string): Promise<string> {
  const { id } = await askApi<Contract>(url, apiKey, '/contracts', { name, text: ' - ' })
  await settledContract(url, apiKey, id)
  return id
}

async function settledContract(url: string, apiKey: string, id: string): Promise<Contract> {
  for (;;) {
    const contract = await askApi<Contract>(url, apiKey, `/contracts/${id}`)
    if (contract.status === 'ready' || contract.status === 'failed') return contract
    await sleep(100)
  }
}
