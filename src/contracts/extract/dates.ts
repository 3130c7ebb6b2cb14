const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const monthWords = months.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')

/** A pattern for a date, in the ways contracts write one. */
export const datePattern = `(?:(?:${monthWords})\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4}|\\d{1,2}(?:st|nd|rd|th)?\\s+(?:day\\s+of\\s+)?(?:${monthWords}),?\\s+\\d{4}|\\d{1,2}/\\d{1,2}/\\d{4}|\\d{4}-\\d{2}-\\d{2})`

/** YYYY-MM-DD of a written date; undefined where there is no such day. */
export function isoDate(text: string): string | undefined {
  const flat = text.replaceAll(/\s+/g, ' ')
  let parts: [number, number, number] | undefined
  let found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(flat)
  if (found) parts = [Number(found[1]), Number(found[2]), Number(found[3])]
  found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(flat)
  if (found) parts = [Number(found[3]), Number(found[1]), Number(found[2])]
  found = /^([A-Za-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(flat)
  if (found) parts = [Number(found[3]), monthOf(found[1]!), Number(found[2])]
  found = /^(\d{1,2})(?:st|nd|rd|th)? (?:day of )?([A-Za-z]+)\.?,? (\d{4})$/.exec(flat)
  if (found) parts = [Number(found[3]), monthOf(found[2]!), Number(found[1])]
  if (!parts) return undefined
  const [year, month, day] = parts
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1950 && year < 2100
  return real ? date.toISOString().slice(0, 10) : undefined
}

const monthOf = (word: string) =>
  months.findIndex((name) => name.slice(0, 3).toLowerCase() === word.slice(0, 3).toLowerCase()) + 1

/** The last day of a term that begins on a day and lasts some years or months. */
export function termEnd(start: string, count: number, unit: 'year' | 'month'): string {
  const [year = 0, month = 1, day = 1] = start.split('-').map(Number)
  const date = new Date(
    Date.UTC(year + (unit === 'year' ? count : 0), month - 1 + (unit === 'month' ? count : 0), day - 1),
  )
  return date.toISOString().slice(0, 10)
}

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** A small number as contracts write it: `three`, `three (3)`, `3`. */
export function smallNumber(text: string): number | undefined {
  const digits = /\d+/.exec(text)?.[0]
  if (digits !== undefined) return Number(digits)
  const at = numbers.indexOf(text.trim().toLowerCase())
  return at > 0 ? at : undefined
}
