import { useEffect, useRef } from 'react'
import type { Evidence } from '../../src/operations/contract-entities.ts'

/** The text of a document, with the quoted words of what was chosen marked and in sight. */
export function DocumentText({
  pages,
  marked,
}: {
  pages: readonly { page: number; text: string }[]
  marked: readonly Evidence[]
}) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = pane.current
    const mark = box?.querySelector('mark')
    if (!box || !mark) return
    // Two steps: pages out of sight get their true height only when they come near.
    mark.scrollIntoView({ block: 'center' })
    const again = requestAnimationFrame(() => mark.scrollIntoView({ block: 'center' }))
    return () => cancelAnimationFrame(again)
  }, [marked])
  return (
    <section ref={pane} className="document" aria-label="Text of the document" tabIndex={0}>
      {pages.map(({ page, text }) => (
        <article key={page} aria-label={`Page ${page}`}>
          <h3 className="soft small">Page {page}</h3>
          <div className="page-text" data-page={page}>
            {pieces(
              text,
              marked.filter((evidence) => evidence.page === page),
            ).map(({ start, words, isMarked }) =>
              isMarked ? <mark key={start}>{words}</mark> : <span key={start}>{words}</span>,
            )}
          </div>
        </article>
      ))}
    </section>
  )
}

/** A text cut at the borders of ranges, which may overlap. */
function pieces(text: string, ranges: readonly Pick<Evidence, 'start' | 'end'>[]) {
  const cuts = [...new Set([0, text.length, ...ranges.flatMap(({ start, end }) => [start, end])])]
    .filter((cut) => cut <= text.length)
    .toSorted((a, b) => a - b)
  return cuts.slice(0, -1).map((start, at) => ({
    start,
    words: text.slice(start, cuts[at + 1]),
    isMarked: ranges.some((range) => range.start <= start && start < range.end),
  }))
}
