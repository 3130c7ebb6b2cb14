import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import type { Group } from '../pivot.ts'
import { moneyText, monthText, percentText } from './format.ts'
import { PlotFigure, tipStyle } from './plot.tsx'
import { yearMonthFrom } from '../question.ts'

const at = ({ month = '' }: Group) => new Date(`${month}-01T00:00:00Z`)
const median = ({ values }: Group) => values['percentile_50'] ?? Number.NaN
const lineOf = ({ payer = '', code = '' }: Group) => [payer, code].filter(Boolean).join(' · ')

/** The median over time, a line for each payer, told apart by name, sign and colour. */
export function TimeChart({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const months = [...new Set(groups.map(({ month = '' }) => month))].sort()
      const every = Math.ceil(months.length / (width / 110))
      const text = asPercent ? percentText : moneyText
      return {
        height: 340,
        marginLeft: 64,
        marginRight: 30,
        marginTop: 28,
        marginBottom: 34,
        x: {
          type: 'utc',
          label: null,
          inset: 24,
          ticks: months.filter((_, index) => index % every === 0).map((month) => at({ month } as Group)),
          tickFormat: (tick: Date) =>
            tick.toLocaleDateString('en-US', { year: 'numeric', month: 'short', timeZone: 'UTC' }),
        },
        y: {
          label: asPercent ? 'median, percent of Medicare' : 'median, dollars',
          labelArrow: 'none',
          grid: true,
          nice: true,
          tickFormat: (tick: number) => (asPercent ? `${tick}%` : moneyText(tick).replace(/\.00$/, '')),
        },
        color: { scheme: 'observable10' },
        symbol: { legend: true },
        className: 'time-chart',
        marks: [
          Plot.lineY(groups, { x: at, y: median, stroke: lineOf, strokeWidth: 2 }),
          Plot.dot(groups, {
            x: at,
            y: median,
            stroke: lineOf,
            symbol: lineOf,
            r: 5,
            fill: 'var(--surface)',
          }),
          Plot.tip(
            groups,
            Plot.pointer({
              x: at,
              y: median,
              ...tipStyle,
              title: (group: Group) =>
                `${lineOf(group)}\n${monthText(yearMonthFrom(group.month ?? ''))}\nmedian ${text(median(group))}`,
            }),
          ),
        ],
      }
    },
    [groups, asPercent],
  )
  return <PlotFigure label="Median over time; the table below holds the numbers" options={options} />
}
