import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import { countText, moneyText } from '../parts/format.ts'
import { PlotFigure, tipStyle } from '../parts/plot.tsx'
import { keyText, measureText } from './columns.ts'
import type { DrawnGroup } from './group-chart.tsx'

/** How many entries fall into each range of rates, with your rate and competitors’ as lines. */
export function Histogram({
  group,
  edges,
  measure,
}: {
  group: DrawnGroup & { readonly histogram: readonly number[] }
  edges: readonly number[]
  measure: string
}) {
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const text = measureText(measure)
      const bins = group.histogram.map((count, at) => ({ from: edges[at]!, to: edges[at + 1]!, count }))
      const marks = group.marks.filter(({ rate }) => rate !== null)
      return {
        height: 240,
        marginLeft: 56,
        marginTop: 24 + 14 * marks.length,
        x: {
          label: null,
          tickSpacing: width < 480 ? 60 : 90,
          tickFormat: (tick: number) =>
            measure === 'medicare_percent' ? `${tick}%` : moneyText(tick).replace(/\.00$/, ''),
        },
        y: { label: 'entries', labelArrow: 'none', grid: true },
        marks: [
          Plot.rectY(bins, {
            x1: 'from',
            x2: 'to',
            y: 'count',
            fill: 'var(--accent)',
            fillOpacity: 0.7,
            inset: 0.5,
          }),
          Plot.ruleY([0]),
          ...marks.flatMap((mark, at) => [
            Plot.ruleX([mark.rate!], { stroke: 'var(--warn)', strokeWidth: 2 }),
            Plot.text([mark], {
              x: mark.rate!,
              frameAnchor: 'top',
              dy: -12 - 14 * (marks.length - 1 - at),
              text: () => `${mark.label} ${text(mark.rate!)}`,
              fill: 'var(--warn)',
              fontWeight: 600,
              textAnchor: mark.rate! > (edges[0]! + edges.at(-1)!) / 2 ? 'end' : 'start',
            }),
          ]),
          Plot.tip(
            bins,
            Plot.pointerX({
              x: ({ from, to }: (typeof bins)[number]) => (from + to) / 2,
              y: 'count',
              ...tipStyle,
              title: ({ from, to, count }: (typeof bins)[number]) =>
                `${text(from)} to ${text(to)}\n${countText(count)} entries`,
            }),
          ),
        ],
      }
    },
    [group, edges, measure],
  )
  return <PlotFigure label={`Histogram of the rates of ${keyText(group.value)}`} options={options} />
}
