import { publishedCodeTypes } from './published-words.ts'

/** A billing code in the one form that we store and compare. */
export interface NormalCode {
  readonly type: string
  readonly code: string
  /** Severity of illness of an APR-DRG, 1 to 4; empty where none is given. */
  readonly severity: string
}

// Spellings of code systems that differ from CMS's list by hyphens and spaces only: MSDRG, APR DRG, CSTM_ALL.
const typesByLetters = new Map(publishedCodeTypes.map((type) => [type.replaceAll('-', ''), type]))

/** CMS's name of a code system; one off the list stays as it is, in upper case. */
export function normalCodeType(reported: string): string {
  const upper = reported.trim().toUpperCase()
  return typesByLetters.get(upper.replaceAll(/[^A-Z0-9]/g, '')) ?? upper
}

/**
 * A billing code as published or asked for, in its code system's own width: MS-DRG three digits, revenue code four,
 * APR-DRG three and the severity apart. Anything that does not fit stays as it is.
 */
export function normalCode(reportedType: string, reportedCode: string, reportedSeverity = ''): NormalCode {
  const type = normalCodeType(reportedType)
  const code = reportedCode.trim().toUpperCase()
  const severity = /^[0-4]$/.test(reportedSeverity.trim())
    ? reportedSeverity.trim().replace('0', '')
    : reportedSeverity.trim().toUpperCase()
  if (type === 'MS-DRG') return { type, code: digits(code, 3), severity }
  if (type === 'RC') return { type, code: digits(code, 4), severity }
  if (type === 'APR-DRG') return aprDrg(code, severity)
  return { type, code, severity }
}

/** Digits padded or cut to a width, where only zeroes are added or lost. */
function digits(code: string, width: number): string {
  if (!/^\d+$/.test(code)) return code
  const bare = code.replace(/^0+/, '')
  return bare.length <= width ? bare.padStart(width, '0') : code
}

function aprDrg(code: string, given: string): NormalCode {
  const type = 'APR-DRG'
  const [, base = '', apart = ''] = /^(\d{1,3})\s*[-._/ ]\s*([0-4])$/.exec(code) ?? []
  if (base) return { type, code: digits(base, 3), severity: given || apart.replace('0', '') }
  const [, four = '', last = ''] = /^(\d{3})(\d)$/.exec(code) ?? []
  if (four) {
    // Four digits are the DRG and its severity, unless the last cannot be one or the file gives another: then the first is padding.
    const padded = code.startsWith('0') && (!/[0-4]/.test(last) || (given !== '' && given !== last))
    if (padded) return { type, code: code.slice(1), severity: given }
    if (/[0-4]/.test(last)) return { type, code: four, severity: given || last.replace('0', '') }
  }
  return { type, code: digits(code, 3), severity: given }
}
