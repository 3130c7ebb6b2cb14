import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import type { Group } from '../pivot.ts'
import { countText, moneyText, percentText } from './format.ts'
import { PlotFigure } from './plot.tsx'

/** The spread of rates by payer: p10 to p90 as a line, the middle half as a bar, the median as a dot. */
export function SpreadChart({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const codes = [...new Set(groups.map(({ code }) => code))]
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const value = (name: string) => (group: Group) => group.values[name] ?? Number.NaN
      const y = (group: Group) => group.payer ?? group.state ?? ''
      const text = asPercent ? percentText : moneyText
      const facet = codes.length > 1 ? { fy: (group: Group) => group.code } : {}
      const rows = new Set(groups.map(y)).size
      return {
        height: 60 + codes.length * (rows * 30 + (codes.length > 1 ? 26 : 0)),
        marginLeft: Math.min(190, width * 0.36),
        marginRight: 24,
        x: {
          label: asPercent ? 'percent of Medicare' : 'dollars',
          grid: true,
          nice: true,
          tickFormat: asPercent ? '~s' : '$~s',
        },
        y: {
          label: null,
          domain: [
            ...new Set(
              [...groups].sort((a, b) => value('percentile_50')(b) - value('percentile_50')(a)).map(y),
            ),
          ],
        },
        fy: { label: null },
        marks: [
          ...(asPercent ? [Plot.ruleX([100], { stroke: 'var(--warn)', strokeDasharray: '4 3' })] : []),
          Plot.link(groups, {
            x1: value('percentile_10'),
            x2: value('percentile_90'),
            y1: y,
            y2: y,
            ...facet,
            stroke: 'var(--accent)',
            strokeWidth: 2,
          }),
          Plot.link(groups, {
            x1: value('percentile_25'),
            x2: value('percentile_75'),
            y1: y,
            y2: y,
            ...facet,
            stroke: 'var(--accent)',
            strokeWidth: 9,
            strokeOpacity: 0.45,
          }),
          Plot.dot(groups, {
            x: value('percentile_50'),
            y,
            ...facet,
            r: 5,
            fill: 'var(--accent)',
            stroke: 'var(--surface)',
            tip: true,
            title: (group: Group) =>
              [
                y(group),
                `median ${text(value('percentile_50')(group))}`,
                `p10 ${text(value('percentile_10')(group))} to p90 ${text(value('percentile_90')(group))}`,
                `${countText(value('num_distinct_npis')(group))} NPIs, ${countText(value('num_distinct_tins')(group))} TINs`,
              ].join('\n'),
          }),
        ],
      }
    },
    [groups, asPercent, codes.length],
  )
  return (
    <PlotFigure
      label={`Spread of rates for ${groups.length} groups; the table below holds the numbers`}
      options={options}
    />
  )
}

/** The median over time, a line for each payer. */
export function TimeChart({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const options = useCallback((): Plot.PlotOptions => {
    const at = ({ month = '' }: Group) => new Date(`${month}-01T00:00:00Z`)
    const line = {
      x: at,
      y: ({ values }: Group) => values['percentile_50'] ?? Number.NaN,
      stroke: ({ payer = '', code = '' }: Group) => [payer, code].filter(Boolean).join(' · '),
    }
    return {
      height: 320,
      marginLeft: 60,
      x: { type: 'utc', label: null },
      y: {
        label: asPercent ? 'median, percent of Medicare' : 'median, dollars',
        grid: true,
        nice: true,
        tickFormat: asPercent ? '~s' : '$~s',
      },
      color: { legend: true, scheme: 'observable10' },
      marks: [
        Plot.lineY(groups, { ...line, strokeWidth: 2 }),
        Plot.dot(groups, { ...line, fill: line.stroke, tip: true }),
      ],
    }
  }, [groups, asPercent])
  return <PlotFigure label="Median over time; the table below holds the numbers" options={options} />
}
