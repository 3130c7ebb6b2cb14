import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import type { Mark } from '../../src/operations/report-view.ts'
import { countText, manyText, moneyText } from '../parts/format.ts'
import { PlotFigure, tipStyle } from '../parts/plot.tsx'
import { SpreadLegend } from '../parts/spread-legend.tsx'
import { keyText, measureText } from './columns.ts'
import { rankText } from './marks.ts'

/** A distribution as the chart tab and the claims draw it. */
export interface DrawnGroup {
  readonly value: string | number | null
  readonly entries: number
  readonly p10: number
  readonly p25: number
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly marks: readonly Mark[]
}

const symbols = [
  'triangle',
  'diamond',
  'square',
  'star',
  'cross',
  'wye',
  'hexagon',
  'asterisk',
  'plus',
] as const
const nameOf = ({ value }: DrawnGroup) => keyText(value)

/** Distributions side by side, with your rate and competitors’ as signs on them. */
export function GroupChart({
  groups,
  measure,
  unit = ['entry', 'entries'],
}: {
  groups: readonly DrawnGroup[]
  measure: string
  /** What is counted, one and several. */
  unit?: readonly [string, string]
}) {
  const [one, several] = unit
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const text = measureText(measure)
      const names = groups.map(nameOf)
      const narrow = width < 480
      const longest = Math.max(...names.map(({ length }) => length))
      const marginLeft = Math.min(longest * 7.4 + 20, width * (narrow ? 0.42 : 0.3))
      const lettersMost = Math.floor((marginLeft - 12) / 7.4)
      const marks = groups.flatMap((group) =>
        group.marks
          .filter(({ rate }) => rate !== null)
          .map((mark) => ({ y: nameOf(group), x: mark.rate!, label: mark.label })),
      )
      const labels = [...new Set(groups.flatMap((group) => group.marks.map(({ label }) => label)))]
      return {
        className: 'marked-chart',
        height: 56 + names.length * 30,
        marginTop: 8,
        marginBottom: 40,
        marginLeft,
        marginRight: narrow ? 16 : 110,
        x: {
          label: measure === 'medicare_percent' ? 'percent of Medicare' : 'dollars',
          labelAnchor: 'center',
          labelArrow: 'none',
          grid: true,
          nice: true,
          tickSpacing: narrow ? 56 : 80,
          tickFormat: (tick: number) =>
            measure === 'medicare_percent' ? `${tick}%` : moneyText(tick).replace(/\.00$/, ''),
        },
        y: {
          label: null,
          domain: names,
          tickSize: 0,
          tickFormat: (name: string) =>
            name.length > lettersMost ? `${name.slice(0, lettersMost - 1).trimEnd()}…` : name,
        },
        symbol: { domain: labels, range: [...symbols], legend: labels.length > 0 },
        marks: [
          Plot.ruleY(groups, { y: nameOf, x1: 'p10', x2: 'p90', stroke: 'var(--accent)', strokeWidth: 2 }),
          Plot.ruleY(groups, {
            y: nameOf,
            x1: 'p25',
            x2: 'p75',
            stroke: 'var(--accent)',
            strokeWidth: 10,
            strokeOpacity: 0.45,
          }),
          Plot.dot(groups, { y: nameOf, x: 'p50', r: 5, fill: 'var(--accent)', stroke: 'var(--surface)' }),
          Plot.dot(marks, {
            y: 'y',
            x: 'x',
            symbol: 'label',
            r: 6,
            fill: 'var(--warn)',
            stroke: 'var(--surface)',
            strokeWidth: 1,
          }),
          ...(narrow
            ? []
            : [
                Plot.text(groups, {
                  y: nameOf,
                  text: ({ entries }: DrawnGroup) => `${countText(entries)} ${entries === 1 ? one : several}`,
                  frameAnchor: 'right',
                  textAnchor: 'start',
                  dx: 10,
                }),
              ]),
          Plot.tip(
            groups,
            Plot.pointerY({
              y: nameOf,
              x: 'p50',
              ...tipStyle,
              title: (group: DrawnGroup) =>
                [
                  nameOf(group),
                  `median ${text(group.p50)}`,
                  `p25 to p75 ${text(group.p25)} to ${text(group.p75)}`,
                  `p10 to p90 ${text(group.p10)} to ${text(group.p90)}`,
                  ...group.marks.map((mark) => `${mark.label} ${rankText(mark, text)}`),
                  `${countText(group.entries)} ${several}`,
                ].join('\n'),
            }),
          ),
        ],
      }
    },
    [groups, measure, one, several],
  )
  return (
    <>
      <SpreadLegend />
      <PlotFigure
        label={`Distribution of ${manyText(groups.length, 'group')}; the table below holds the numbers`}
        options={options}
      />
    </>
  )
}
