import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import { moneyText } from '../parts/format.ts'
import { PlotFigure, tipStyle } from '../parts/plot.tsx'

interface Bar {
  readonly key: string
  readonly difference: number
}

const shownMost = 30
const yearText = (value: number) => moneyText(Math.round(value)).replace(/\.00$/, '')

/** What the baseline would be worth with each payer, dollars a year. */
export function DifferenceBars({ rows }: { rows: readonly Bar[] }) {
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const bars = [...rows]
        .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
        .slice(0, shownMost)
        .sort((a, b) => b.difference - a.difference)
      const narrow = width < 480
      const longest = Math.max(...bars.map(({ key }) => key.length))
      const marginLeft = Math.min(longest * 7.4 + 20, width * (narrow ? 0.42 : 0.3))
      const lettersMost = Math.floor((marginLeft - 12) / 7.4)
      return {
        height: 60 + bars.length * 28,
        marginLeft,
        marginRight: 24,
        marginBottom: 40,
        x: {
          label: narrow
            ? 'dollars a year, more or less'
            : 'dollars a year at the baseline, more or less than at your rates',
          labelAnchor: 'center',
          labelArrow: 'none',
          grid: true,
          nice: true,
          tickSpacing: narrow ? 70 : 100,
          tickFormat: (tick: number) => yearText(tick),
        },
        y: {
          label: null,
          domain: bars.map(({ key }) => key),
          tickSize: 0,
          tickFormat: (name: string) =>
            name.length > lettersMost ? `${name.slice(0, lettersMost - 1).trimEnd()}…` : name,
        },
        marks: [
          Plot.barX(bars, {
            y: 'key',
            x: 'difference',
            fill: ({ difference }: Bar) => (difference >= 0 ? 'var(--accent)' : 'var(--warn)'),
            fillOpacity: 0.75,
            inset: 3,
          }),
          Plot.ruleX([0], { stroke: 'var(--ink-soft)' }),
          Plot.tip(
            bars,
            Plot.pointerY({
              y: 'key',
              x: 'difference',
              ...tipStyle,
              title: ({ key, difference }: Bar) =>
                `${key}\n${difference > 0 ? '+' : ''}${yearText(difference)} a year`,
            }),
          ),
        ],
      }
    },
    [rows],
  )
  return (
    <PlotFigure
      label="What the baseline is worth by payer; the table below holds the numbers"
      options={options}
    />
  )
}
