import { readFile } from 'node:fs/promises'
import { ccnFromText } from '../vocabulary/ccn.ts'
import { npiFromText } from '../vocabulary/identifiers.ts'
import type { Findings } from './findings.ts'
import { headerOf, noteMissing, type ColumnWish } from './header.ts'
import { recordsOf, type FileHead } from './text-file.ts'
import type { ReferenceFile } from './unpack.ts'

/** A hospital of CMS's general information list. */
export interface ListedHospital {
  readonly ccn: string
  readonly name: string
  readonly street: string
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly county: string
  readonly phone: string
  readonly type: string
  readonly ownership: string
  readonly emergency: string
  readonly rating: string
}

/** A Medicare enrolment of a hospital (PECOS): which NPI bills under which CCN. */
export interface Enrolment {
  readonly ccn: string
  readonly npi: number
  readonly organization: string
  readonly doingBusinessAs: string
  readonly street: string
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly isMainLocation: boolean
  /** The hospital that a unit belongs to. */
  readonly parent: string
}

/** A hospital of a list that knows beds and health systems: with a CCN (AHRQ) or with name and address (HIFLD). */
export interface ListedSystem {
  readonly ccn: string
  readonly name: string
  readonly street: string
  readonly city: string
  readonly state: string
  readonly zip: string
  /** The list's own word, such as GENERAL ACUTE CARE or PSYCHIATRIC; empty where it has none. */
  readonly type: string
  readonly beds: number
  readonly system: string
  readonly isOpen: boolean
}

/** The three kinds of list that the hospital directory is made of. */
export interface HospitalInputs {
  general: ListedHospital[]
  enrolments: Enrolment[]
  systems: ListedSystem[]
}
export type HospitalInput = keyof HospitalInputs

const generalColumns = {
  ccn: { is: /^(FACILITY|PROVIDER) ID$|^CCN$/, required: true },
  name: { is: /^(FACILITY|HOSPITAL) NAME$/, required: true },
  type: { is: /^HOSPITAL TYPE$/, required: true },
  street: { is: /^ADDRESS$/ },
  city: { is: /^CITY( TOWN)?$/ },
  state: { is: /^STATE$/ },
  zip: { is: /^ZIP CODE$/ },
  county: { is: /^COUNTY( PARISH| NAME)?$/ },
  phone: { is: /^(TELEPHONE|PHONE) NUMBER$/ },
  ownership: { is: /^HOSPITAL OWNERSHIP$/ },
  emergency: { is: /^EMERGENCY SERVICES$/ },
  rating: { is: /^HOSPITAL OVERALL RATING$/ },
} satisfies Record<string, ColumnWish>

const enrolmentColumns = {
  npi: { is: /^NPI$/, required: true },
  ccn: { is: /^CCN$/, required: true },
  organization: { is: /^ORG(ANIZATION)? NAME$/, required: true },
  doingBusinessAs: { is: /^(DOING BUSINESS AS|DBA) NAME$/ },
  street: { is: /^ADDRESS( LINE 1)?$/ },
  city: { is: /^CITY$/ },
  state: { is: /^(LOC )?STATE$/ },
  zip: { is: /^ZIP( CODE)?$/ },
  locationType: { is: /^(PRACTICE LOCATION|LOC) TYPE$/ },
  parent: { is: /^CAH OR HOSPITAL CCN$/ },
} satisfies Record<string, ColumnWish>

const systemColumns = {
  ccn: { is: /^CCN$/, required: true },
  beds: { is: /^HOS BEDS$/, required: true },
  system: { is: /^HEALTH SYS NAME$/, required: true },
  name: { is: /^HOSPITAL NAME$/ },
  street: { is: /^HOSPITAL STREET$/ },
  city: { is: /^HOSPITAL CITY$/ },
  state: { is: /^HOSPITAL STATE$/ },
  zip: { is: /^HOSPITAL ZIP$/ },
} satisfies Record<string, ColumnWish>

const isSystemJson = (head: FileHead) =>
  /^\s*[[{]/.test(head.lines[0] ?? '') && /"health_sys_name"/.test(head.lines.join(''))

/** Which list a file is, by its headings. */
export function hospitalInputOf(head: FileHead): HospitalInput | undefined {
  if (isSystemJson(head) || headerOf(head, systemColumns) !== undefined) return 'systems'
  if (headerOf(head, generalColumns) !== undefined) return 'general'
  return headerOf(head, enrolmentColumns) === undefined ? undefined : 'enrolments'
}

/** Adds the rows of a file to its list. The lists have a few thousand rows each and are held in memory. */
export async function readHospitalFile(
  file: ReferenceFile,
  head: FileHead,
  kind: HospitalInput,
  inputs: HospitalInputs,
  findings: Findings,
): Promise<number> {
  if (kind === 'systems') return await readSystems(file, head, inputs.systems, findings)
  return kind === 'general'
    ? await readGeneral(file, head, inputs.general, findings)
    : await readEnrolments(file, head, inputs.enrolments, findings)
}

async function readGeneral(
  file: ReferenceFile,
  head: FileHead,
  list: ListedHospital[],
  findings: Findings,
): Promise<number> {
  const header = headerOf(head, generalColumns)
  if (header === undefined) return 0
  const names = Object.keys(generalColumns) as (keyof typeof generalColumns)[]
  noteMissing(findings, file.name, header, names)
  return await eachRow(file, head, header.firstRow, findings, (cells, line) => {
    const cell = (name: keyof typeof generalColumns) => cells[header.at[name] ?? -1] ?? ''
    // Spreadsheets drop the leading zero of Alabama to Connecticut.
    const text = /^\d{5}$/.test(cell('ccn')) ? `0${cell('ccn')}` : cell('ccn')
    const ccn = ccnFromText(text)
    if (ccn === undefined) {
      findings.problem(file.name, `"${text}" is no CCN; the hospital is left out`, {
        line,
        column: 'Facility ID',
      })
      return false
    }
    const row = Object.fromEntries(names.map((name) => [name, cell(name)])) as unknown as ListedHospital
    list.push({ ...row, ccn, zip: zipText(row.zip) })
    return true
  })
}

async function readEnrolments(
  file: ReferenceFile,
  head: FileHead,
  list: Enrolment[],
  findings: Findings,
): Promise<number> {
  const header = headerOf(head, enrolmentColumns)
  if (header === undefined) return 0
  if (header.at.parent === undefined)
    findings.note(
      file.name,
      'the file has no such column; units are joined to their hospital by their number',
      {
        column: 'CAH OR HOSPITAL CCN',
        line: header.firstRow,
      },
    )
  return await eachRow(file, head, header.firstRow, findings, (cells, line) => {
    const cell = (name: keyof typeof enrolmentColumns) => cells[header.at[name] ?? -1] ?? ''
    const ccn = ccnFromText(cell('ccn'))
    const npi = npiFromText(cell('npi'))
    if (ccn === undefined || npi === undefined) {
      findings.note(file.name, 'enrolments without CCN or NPI are left out', {
        line,
        column: ccn === undefined ? 'CCN' : 'NPI',
      })
      return false
    }
    list.push({
      ccn,
      npi,
      organization: cell('organization'),
      doingBusinessAs: cell('doingBusinessAs'),
      street: cell('street'),
      city: cell('city'),
      state: cell('state'),
      zip: zipText(cell('zip')),
      isMainLocation: /MAIN|PRIMARY/i.test(cell('locationType')),
      parent: ccnFromText(cell('parent')) ?? '',
    })
    return true
  })
}

/** What the HIFLD list says of a hospital, with the health system of AHRQ. */
interface SystemRecord {
  readonly NAME?: string
  readonly ADDRESS?: string
  readonly CITY?: string
  readonly TYPE?: string
  readonly STATE?: string
  readonly ZIP?: string | number
  readonly BEDS?: number
  readonly POPULATION?: number
  readonly STATUS?: string
  readonly health_sys_name?: string
}

async function readSystems(
  file: ReferenceFile,
  head: FileHead,
  list: ListedSystem[],
  findings: Findings,
): Promise<number> {
  const before = list.length
  if (isSystemJson(head)) {
    const content = JSON.parse(await readFile(file.path, 'utf8')) as unknown
    const rows = (
      Array.isArray(content) ? content : Object.values(content as object).flat()
    ) as SystemRecord[]
    for (const row of rows)
      list.push({
        ccn: '',
        name: row.NAME ?? '',
        street: row.ADDRESS ?? '',
        city: row.CITY ?? '',
        type: row.TYPE ?? '',
        state: row.STATE ?? '',
        zip: zipText(String(row.ZIP ?? '')),
        // -999 stands for not known.
        beds: Math.max(0, row.BEDS ?? row.POPULATION ?? 0),
        system: row.health_sys_name ?? '',
        isOpen: row.STATUS !== 'CLOSED',
      })
    return list.length - before
  }
  const header = headerOf(head, systemColumns)
  if (header === undefined) return 0
  return await eachRow(file, head, header.firstRow, findings, (cells) => {
    const cell = (name: keyof typeof systemColumns) => cells[header.at[name] ?? -1] ?? ''
    list.push({
      ccn: ccnFromText(cell('ccn').padStart(6, '0')) ?? '',
      name: cell('name'),
      street: cell('street'),
      city: cell('city'),
      state: cell('state'),
      zip: zipText(cell('zip')),
      type: '',
      beds: Number(cell('beds')) || 0,
      system: cell('system'),
      isOpen: true,
    })
    return true
  })
}

async function eachRow(
  file: ReferenceFile,
  head: FileHead,
  firstRow: number,
  findings: Findings,
  take: (cells: readonly string[], line: number) => boolean,
): Promise<number> {
  let row = 0
  let rows = 0
  for await (const { line, cells } of recordsOf(file, head.delimiter, findings)) {
    if (row++ < firstRow || cells.every((cell) => cell === '')) continue
    if (take(cells, line)) rows++
  }
  return rows
}

const zipText = (text: string) => {
  const digits = text.replace(/\.0$/, '').replaceAll(/\D/g, '')
  return digits === ''
    ? ''
    : digits.length > 5
      ? digits.padStart(9, '0').slice(0, 5)
      : digits.padStart(5, '0')
}
