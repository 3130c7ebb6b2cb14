const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const count = new Intl.NumberFormat('en-US')
const percent = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** $1,234.50: for reading. The exact number belongs into a title. */
export const moneyText = (value: number) => money.format(value)
export const countText = (value: number) => count.format(value)
export const percentText = (value: number) => `${percent.format(value)}%`

/** `1 NPI`, `2 NPIs`. */
export const manyText = (value: number, one: string) => `${countText(value)} ${one}${value === 1 ? '' : 's'}`

export const bytesText = (bytes: number) =>
  bytes < 1_000_000
    ? `${countText(Math.ceil(bytes / 1_000))} kB`
    : `${countText(Math.round(bytes / 100_000) / 10)} MB`

export const dayText = (ms: number | null) =>
  ms === null
    ? ''
    : new Date(ms).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' })
export const timeText = (ms: number | null) =>
  ms === null ? 'never' : new Date(ms).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
export const monthText = ({ year, month }: { year: number; month: number }) =>
  new Date(Date.UTC(year, month - 1)).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
