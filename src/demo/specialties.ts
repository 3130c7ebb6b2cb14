import type { Family } from './codes.ts'

/** A NUCC taxonomy of the demo: what it bills, how common it is, and the letters after a name. */
export interface Specialty {
  readonly taxonomy: string
  readonly word: string
  readonly credential: string
  readonly weight: number
  readonly families: readonly Family[]
}

const specialty = (
  taxonomy: string,
  word: string,
  credential: string,
  weight: number,
  ...families: Family[]
): Specialty => ({ taxonomy, word, credential, weight, families })

/** What individuals practise. */
export const specialties: readonly Specialty[] = [
  specialty('207Q00000X', 'Family Medicine', 'M.D.', 14, 'office', 'skin'),
  specialty('207R00000X', 'Internal Medicine', 'M.D.', 12, 'office', 'hospital visit'),
  specialty('208000000X', 'Pediatrics', 'M.D.', 8, 'office'),
  specialty('207V00000X', "Women's Health", 'M.D.', 6, 'office', 'birth'),
  specialty('207X00000X', 'Orthopedics', 'M.D.', 5, 'office', 'bone'),
  specialty('207RC0000X', 'Cardiology', 'M.D.', 5, 'office', 'hospital visit', 'heart'),
  specialty('207RG0100X', 'Gastroenterology', 'M.D.', 4, 'office', 'digestive'),
  specialty('207RP1001X', 'Pulmonology', 'M.D.', 3, 'office', 'hospital visit', 'lung'),
  specialty('207RH0003X', 'Oncology', 'M.D.', 4, 'office', 'infusion', 'drug'),
  specialty('207RE0101X', 'Endocrinology', 'M.D.', 2, 'office'),
  specialty('207RN0300X', 'Nephrology', 'M.D.', 2, 'office', 'kidney'),
  specialty('207RR0500X', 'Rheumatology', 'M.D.', 2, 'office', 'infusion', 'drug'),
  specialty('207N00000X', 'Dermatology', 'M.D.', 3, 'office', 'skin'),
  specialty('207W00000X', 'Eye Surgery', 'M.D.', 3, 'eye'),
  specialty('152W00000X', 'Optometry', 'O.D.', 3, 'eye'),
  specialty('207Y00000X', 'Ear, Nose and Throat', 'M.D.', 2, 'office', 'ear'),
  specialty('208800000X', 'Urology', 'M.D.', 2, 'office', 'urology'),
  specialty('208600000X', 'General Surgery', 'M.D.', 4, 'office', 'surgery'),
  specialty('207T00000X', 'Neurosurgery', 'M.D.', 1, 'office', 'spine'),
  specialty('2084N0400X', 'Neurology', 'M.D.', 3, 'office', 'lung'),
  specialty('2084P0800X', 'Psychiatry', 'M.D.', 4, 'mind', 'office'),
  specialty('103TC0700X', 'Psychology', 'PH.D.', 5, 'mind'),
  specialty('1041C0700X', 'Counseling', 'LCSW', 6, 'mind'),
  specialty('225100000X', 'Physical Therapy', 'PT', 8, 'therapy'),
  specialty('225X00000X', 'Occupational Therapy', 'OT', 3, 'therapy'),
  specialty('235Z00000X', 'Speech Therapy', 'SLP', 2, 'therapy'),
  specialty('231H00000X', 'Audiology', 'AU.D.', 2, 'ear'),
  specialty('111N00000X', 'Chiropractic', 'D.C.', 5, 'spine adjustment'),
  specialty('2085R0202X', 'Radiology', 'M.D.', 6, 'imaging'),
  specialty('207ZP0102X', 'Pathology', 'M.D.', 2, 'pathology', 'laboratory'),
  specialty('207L00000X', 'Anesthesiology', 'M.D.', 5, 'anesthesia'),
  specialty('367500000X', 'Nurse Anesthesia', 'CRNA', 4, 'anesthesia'),
  specialty('207P00000X', 'Emergency Medicine', 'M.D.', 5, 'emergency'),
  specialty('207LP2900X', 'Pain Medicine', 'M.D.', 2, 'spine'),
  specialty('363L00000X', 'Nurse Practice', 'NP', 9, 'office'),
  specialty('363A00000X', 'Physician Assistance', 'PA-C', 6, 'office'),
  specialty('208M00000X', 'Hospital Medicine', 'M.D.', 4, 'hospital visit'),
]

/** What organisations other than physician groups and hospitals do. */
export const facilities: readonly Specialty[] = [
  specialty('261QA1903X', 'Surgery Center', '', 3, 'digestive', 'bone', 'eye', 'surgery'),
  specialty('291U00000X', 'Laboratory', '', 3, 'laboratory', 'pathology'),
  specialty('341600000X', 'Ambulance', '', 2, 'ambulance'),
  specialty('261QR0200X', 'Imaging Center', '', 4, 'imaging'),
  specialty('261QP2000X', 'Therapy Clinic', '', 3, 'therapy'),
]

export const hospitalTaxonomy = '282N00000X'
export const groupTaxonomies = { several: '193200000X', single: '193400000X' } as const
