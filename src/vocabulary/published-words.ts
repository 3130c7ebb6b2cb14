import { placeOfServiceNames } from './place-of-service-list.ts'

/** Every code system that a payer file may name. All are stored; the seven of `BillingCodeType` are asked for and answered. */
export const publishedCodeTypes = [
  'CPT',
  'HCPCS',
  'RC',
  'MS-DRG',
  'APR-DRG',
  'LOCAL',
  'CSTM-ALL',
  'ICD',
  'R-DRG',
  'S-DRG',
  'APS-DRG',
  'AP-DRG',
  'APC',
  'NDC',
  'HIPPS',
  'EAPG',
  'CDT',
] as const
export type PublishedCodeType = (typeof publishedCodeTypes)[number]

export const negotiatedTypes = ['negotiated', 'derived', 'fee schedule', 'percentage', 'per diem'] as const

/** CMS place-of-service codes, `CSTM-00` for "all places", `none` for a rate that names no place. */
export const serviceCodes = [...Object.keys(placeOfServiceNames), 'CSTM-00', 'none'] as const
