/** Rows that one result may carry. */
export const rowsMost = 500
const bytesMost = 96 * 1024

/** The first rows of an answer, as many as fit into a result that a model can still read. */
export function boundedRows<Row extends object>(rows: readonly Row[]): Row[] {
  const kept: Row[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += JSON.stringify(row).length
    if (kept.length === rowsMost || (bytes > bytesMost && kept.length > 0)) break
    kept.push(row)
  }
  return kept
}
