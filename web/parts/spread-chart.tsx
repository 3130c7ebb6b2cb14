import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import type { Group } from '../pivot.ts'
import { manyText, moneyText, percentText } from './format.ts'
import { PlotFigure, tipStyle } from './plot.tsx'
import { SpreadLegend } from './spread-legend.tsx'

const value = (name: string) => (group: Group) => group.values[name] ?? Number.NaN
const nameOf = (group: Group) => [group.payer ?? group.state ?? '', group.month].filter(Boolean).join(' · ')
const behind = (group: Group) =>
  `${manyText(value('num_distinct_npis')(group), 'NPI')}, ${manyText(value('num_distinct_tins')(group), 'TIN')}`

/** The spread of rates by payer: p10 to p90 as a line, the middle half as a bar, the median as a dot. */
export function SpreadChart({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const options = useCallback((width: number) => spreadOptions(groups, asPercent, width), [groups, asPercent])
  return (
    <>
      <SpreadLegend hasMedicare={asPercent} />
      <PlotFigure
        label={`Spread of rates for ${manyText(groups.length, 'group')}; the table below holds the numbers`}
        options={options}
      />
    </>
  )
}

function spreadOptions(groups: readonly Group[], asPercent: boolean, width: number): Plot.PlotOptions {
  const text = asPercent ? percentText : moneyText
  const codes = [...new Set(groups.map(({ code }) => code))]
  const several = codes.length > 1
  const facet = several ? { fy: (group: Group) => group.code } : {}
  const names = [
    ...new Set([...groups].sort((a, b) => value('percentile_50')(b) - value('percentile_50')(a)).map(nameOf)),
  ]
  const narrow = width < 480
  const longest = Math.max(...names.map(({ length }) => length))
  const marginLeft = Math.min(longest * 7.4 + 20, width * (narrow ? 0.42 : 0.3))
  const lettersMost = Math.floor((marginLeft - 12) / 7.4)
  const row = { y: nameOf, ...facet }
  const across = (from: string, to: string) => ({ x1: value(from), x2: value(to), ...row })
  return {
    height: (several ? 60 : 48) + codes.length * (names.length * 30 + (several ? 26 : 0)),
    marginTop: 8,
    marginBottom: 40,
    marginLeft,
    marginRight: several ? 62 : narrow ? 16 : 150,
    x: {
      label: asPercent ? 'percent of Medicare' : 'dollars',
      labelAnchor: 'center',
      labelArrow: 'none',
      grid: true,
      nice: true,
      tickSpacing: narrow ? 48 : 80,
      tickFormat: (tick: number) => (asPercent ? `${tick}%` : moneyText(tick).replace(/\.00$/, '')),
    },
    y: {
      label: null,
      domain: names,
      tickSize: 0,
      tickFormat: (name: string) =>
        name.length > lettersMost ? `${name.slice(0, lettersMost - 1).trimEnd()}…` : name,
    },
    fy: { label: null, domain: codes },
    marks: [
      ...(asPercent ? [Plot.ruleX([100], { stroke: 'var(--warn)', strokeDasharray: '4 3' })] : []),
      Plot.ruleY(groups, {
        ...across('percentile_10', 'percentile_90'),
        stroke: 'var(--accent)',
        strokeWidth: 2,
      }),
      Plot.ruleY(groups, {
        ...across('percentile_25', 'percentile_75'),
        stroke: 'var(--accent)',
        strokeWidth: 10,
        strokeOpacity: 0.45,
      }),
      Plot.dot(groups, {
        x: value('percentile_50'),
        ...row,
        r: 5,
        fill: 'var(--accent)',
        stroke: 'var(--surface)',
      }),
      ...(several || narrow
        ? []
        : [
            Plot.text(groups, { y: nameOf, text: behind, frameAnchor: 'right', textAnchor: 'start', dx: 10 }),
          ]),
      Plot.tip(
        groups,
        Plot.pointerY({
          x: value('percentile_50'),
          ...row,
          ...tipStyle,
          title: (group: Group) =>
            [
              [nameOf(group), group.code].filter(Boolean).join(' · '),
              `median ${text(value('percentile_50')(group))}`,
              `p25 to p75 ${text(value('percentile_25')(group))} to ${text(value('percentile_75')(group))}`,
              `p10 to p90 ${text(value('percentile_10')(group))} to ${text(value('percentile_90')(group))}`,
              behind(group),
            ].join('\n'),
        }),
      ),
    ],
  }
}
