import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenedIndex, sharedIndex, type SharedIndex } from '../search/opened-index.ts'
import { parts } from './build-index.ts'
import {
  npiRecord,
  type HospitalRecord,
  type IndexDescription,
  type NpiRecord,
  type TinRecord,
} from './records.ts'

/** An index folder's memory, once for all threads. */
export interface SharedProviders {
  readonly description: IndexDescription
  readonly npis: SharedIndex
  readonly hospitals: SharedIndex
  readonly tins: SharedIndex
}

/** Reads what all threads share from an index folder. */
export function sharedProviders(folder: string): SharedProviders {
  return {
    description: JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexDescription,
    npis: sharedIndex(join(folder, parts.npis)),
    hospitals: sharedIndex(join(folder, parts.hospitals)),
    tins: sharedIndex(join(folder, parts.tins)),
  }
}

/** One thread's hands on the three parts of an index. */
export class OpenedProviders {
  readonly description: IndexDescription
  readonly npis: OpenedIndex
  readonly hospitals: OpenedIndex
  readonly tins: OpenedIndex

  constructor(shared: SharedProviders) {
    this.description = shared.description
    this.npis = new OpenedIndex(shared.npis)
    this.hospitals = new OpenedIndex(shared.hospitals)
    this.tins = new OpenedIndex(shared.tins)
  }

  npi(row: number): NpiRecord {
    return npiRecord(this.npis.record(row))
  }

  hospital(row: number): HospitalRecord {
    return JSON.parse(this.hospitals.record(row)) as HospitalRecord
  }

  tin(row: number): TinRecord {
    return JSON.parse(this.tins.record(row)) as TinRecord
  }

  /** Names of payers by their numbers. */
  payerNames(numbers: readonly number[] | undefined): string[] {
    return (numbers ?? []).map((number) => this.description.payers[number] ?? '').sort()
  }

  close(): void {
    this.npis.close()
    this.hospitals.close()
    this.tins.close()
  }
}
