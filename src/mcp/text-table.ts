type Row = Readonly<Record<string, unknown>>

const rowsMost = 100
const charactersMost = 16_000

/** Rows as a small Markdown table for people, and for models whose client shows them text only. */
export function textTable(rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const shown = rows.slice(0, rowsMost)
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].filter((column) =>
    shown.some((row) => row[column] !== undefined && row[column] !== null),
  )
  const lines = [line(columns), line(columns.map(() => '---'))]
  let characters = 0
  let printed = 0
  for (const row of shown) {
    const text = line(columns.map((column) => cell(row[column])))
    characters += text.length
    if (characters > charactersMost) break
    lines.push(text)
    printed++
  }
  if (printed < rows.length) lines.push(`… and ${rows.length - printed} more rows in structuredContent.`)
  return lines.join('\n')
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return cell(value.join('; '))
  if (typeof value === 'object') {
    const { year, month } = value as { year?: number; month?: number }
    return year !== undefined && month !== undefined
      ? `${year}-${String(month).padStart(2, '0')}`
      : JSON.stringify(value)
  }
  return String(value as string | number | boolean)
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}
