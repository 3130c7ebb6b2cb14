import type { OpenedProviders } from './opened.ts'
import { ccnKey } from './records.ts'

/** Under which numbers a hospital is paid: its NPIs, and the TINs that payers list them with. */
export interface HospitalBilling {
  readonly ccn: string
  readonly npis: readonly number[]
  readonly tins: readonly number[]
}

/** What pricing needs to answer for hospitals; a CCN that the directory does not know is left out. */
export function hospitalBilling(opened: OpenedProviders, ccns: readonly string[]): HospitalBilling[] {
  return ccns.flatMap((ccn) => {
    const row = opened.hospitals.rowOf(ccnKey(ccn))
    if (row === undefined) return []
    const { npis, tins } = opened.hospital(row)
    return [{ ccn, npis, tins }]
  })
}
