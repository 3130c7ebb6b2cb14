const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const count = new Intl.NumberFormat('en-US')
const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** $1,234.50: for reading. The exact number belongs into a title. */
export const moneyText = (value: number) => money.format(value)
export const countText = (value: number) => count.format(value)
export const percentText = (value: number) => `${percent.format(value)} %`

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
