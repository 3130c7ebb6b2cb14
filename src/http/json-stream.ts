import { Readable } from 'node:stream'

const chunkBytes = 64 * 1024
// Below this many rows one JSON.stringify is quicker than a stream and blocks nobody.
const rowsAtOnce = 500

/** A value as JSON: text when it is small, else a stream that yields to other requests every 64 kB and stops when the client leaves. */
export function jsonBody(value: unknown): string | Readable {
  const rows = longList(value)
  return rows ? Readable.from(jsonChunks(value, rows), { objectMode: false }) : JSON.stringify(value)
}

/** The long list in an answer: the answer itself, or the `data` of a page. */
function longList(value: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(value) ? (value as unknown[]) : (value as { data?: unknown } | null)?.data
  return Array.isArray(list) && list.length > rowsAtOnce ? (list as unknown[]) : undefined
}

async function* jsonChunks(value: unknown, rows: readonly unknown[]): AsyncGenerator<string> {
  const isPage = !Array.isArray(value)
  let chunk = isPage ? '{"data":[' : '['
  for (const [at, row] of rows.entries()) {
    chunk += at === 0 ? JSON.stringify(row) : `,${JSON.stringify(row)}`
    if (chunk.length >= chunkBytes) {
      yield chunk
      chunk = ''
      await new Promise(setImmediate)
    }
  }
  yield `${chunk}]${isPage ? restOf(value as Record<string, unknown>) : ''}`
}

/** The members of a page beside its rows. */
function restOf(page: Record<string, unknown>): string {
  const text = JSON.stringify({ ...page, data: undefined })
  return text === '{}' ? '}' : `,${text.slice(1)}`
}
