// Printed from data/payers.csv by `npm run lists`. Change the csv, not this file.
import type { PayerEntry } from './payers.ts'

export const payerList: readonly PayerEntry[] = [
  { payer: 'Aetna', name: 'Aetna', states: [], aliases: ['Aetna Life Insurance Company', 'Aetna Health Inc.'] },
]
