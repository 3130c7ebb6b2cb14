/** Hands a text out as a file. */
export function DownloadButton({ name, text }: { name: string; text: string }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
    const link = document.createElement('a')
    link.href = address
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <button type="button" className="button" onClick={save}>
      Download CSV
    </button>
  )
}

export const csvOf = (lines: readonly (readonly string[])[]) =>
  lines.map((line) => line.map(csvCell).join(',')).join('\r\n')

// A cell that begins like a formula would run as one in a spreadsheet.
function csvCell(text: string): string {
  const safe =
    /^[=+@\t\r]/.test(text) || (text.startsWith('-') && Number.isNaN(Number(text))) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
