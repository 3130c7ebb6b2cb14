import { type ReactNode, useMemo, useState } from 'react'
import { countText } from './format.ts'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly number?: boolean
  /** Sentences, which may take several lines. */
  readonly prose?: boolean
  /** What the cell shows. */
  readonly cell: (row: Row) => ReactNode
  /** What the column sorts by; a column without it does not sort. */
  readonly sort?: (row: Row) => string | number | null
}

const rowsShown = 50

/** A table that sorts by its columns and shows long lists a part at a time. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty = 'Nothing here yet.',
  order: given,
  onOrder,
  isSortedElsewhere = false,
  foot,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row, at: number) => string
  empty?: ReactNode
  /** Column to sort by, `-` before it for downwards; given where the page keeps it in its address. */
  order?: string
  onOrder?: (order: string) => void
  /** The rows come in order already; the headings only say by what. */
  isSortedElsewhere?: boolean
  /** A last row that stays last. */
  foot?: Row
}) {
  const [own, setOwn] = useState('')
  const text = given ?? own
  const order = text === '' ? undefined : { key: text.replace(/^-/, ''), down: text.startsWith('-') }
  const setOrder = (next: string) => (onOrder ? onOrder(next) : setOwn(next))
  const [shown, setShown] = useState(rowsShown)
  const sorted = useMemo(() => {
    const by = columns.find(({ key }) => key === order?.key)?.sort
    if (!order || !by || isSortedElsewhere) return rows
    const direction = order.down ? -1 : 1
    return [...rows].sort((a, b) => {
      const [left, right] = [by(a), by(b)]
      if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
      return (left < right ? -1 : left > right ? 1 : 0) * direction
    })
  }, [rows, columns, text])

  if (rows.length === 0) return <p className="soft">{empty}</p>
  return (
    <div className="stack tight">
      <div className="table-wrap" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => {
                const active = order?.key === column.key
                return (
                  <th
                    key={column.key}
                    scope="col"
                    className={column.number ? 'number' : undefined}
                    aria-sort={active ? (order.down ? 'descending' : 'ascending') : undefined}
                  >
                    {column.sort ? (
                      <button
                        type="button"
                        onClick={() =>
                          setOrder(((active ? !order.down : Boolean(column.number)) ? '-' : '') + column.key)
                        }
                      >
                        {column.title}
                        <span aria-hidden="true">{active ? (order.down ? ' ↓' : ' ↑') : ''}</span>
                      </button>
                    ) : (
                      column.title
                    )}
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((row, at) => (
              <tr key={rowKey(row, at)}>
                {columns.map((column) => (
                  <td
                    key={column.key}
                    className={column.number ? 'number' : column.prose ? 'prose' : undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {foot && (
            <tfoot>
              <tr>
                {columns.map((column) => (
                  <td key={column.key} className={column.number ? 'number' : undefined}>
                    {column.cell(foot)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {sorted.length > shown && (
        <div className="row">
          <span className="soft small">
            Showing {countText(shown)} of {countText(sorted.length)}
          </span>
          <button type="button" className="button" onClick={() => setShown(shown + 4 * rowsShown)}>
            Show more
          </button>
        </div>
      )}
    </div>
  )
}
