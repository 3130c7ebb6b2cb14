import * as Plot from '@observablehq/plot'
import { useEffect, useRef, useState } from 'react'

/** A chart that fills its place and says in words what it shows. */
export function PlotFigure({
  label,
  options,
}: {
  label: string
  options: (width: number) => Plot.PlotOptions
}) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)

  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watcher.observe(place.current!)
    return () => watcher.disconnect()
  }, [])

  useEffect(() => {
    if (width === 0) return
    const chart = Plot.plot({
      ...options(width),
      width,
      style: { background: 'transparent', color: 'currentColor', fontSize: '12px', overflow: 'visible' },
    })
    // The figure as a whole has a name; what the library calls its parts would only be noise beside it.
    for (const part of chart.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label')
    place.current!.replaceChildren(chart)
    return () => chart.remove()
  }, [options, width])

  return <div ref={place} className="plot" role="img" aria-label={label} />
}

/** How tips look in both themes. */
export const tipStyle = {
  fill: 'var(--raised)',
  stroke: 'var(--line-strong)',
  fontSize: 13,
  lineHeight: 1.3,
} as const
