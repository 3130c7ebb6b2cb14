export { normalCode, normalCodeType, type NormalCode } from '../vocabulary/billing-code.ts'

/** Places of service as a set: two digits each, ascending; `CSTM-00` means all places. */
export function normalServiceCodes(reported: readonly string[]): string[] {
  return distinct(
    reported
      .flatMap((code) => code.split(/[,;|\s]+/))
      .map((code) => code.trim().toUpperCase())
      .map((code) => (/^\d$/.test(code) ? `0${code}` : code)),
  )
}

/** Modifiers as a set: upper case, ascending. Several in one text are taken apart. */
export function normalModifiers(reported: readonly string[]): string[] {
  return distinct(reported.flatMap((text) => text.split(/[,;|\s]+/)).map((code) => code.trim().toUpperCase()))
}

const distinct = (values: readonly string[]) => [...new Set(values)].filter((value) => value !== '').sort()
