import * as Plot from '@observablehq/plot'
import { useCallback, useState } from 'react'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'us-atlas/states-10m.json'
import type { Group } from '../pivot.ts'
import { stateLetters } from '../states.ts'
import { SelectField } from './form.tsx'
import { manyText, moneyText, percentText } from './format.ts'
import { PlotFigure, tipStyle } from './plot.tsx'

const topology = atlas as unknown as Topology<{ states: GeometryCollection<{ name: string }> }>
const shapes = feature(topology, topology.objects.states).features

// Both themes have their own low and high; the browser mixes what lies between.
const steps = [0, 25, 50, 75, 100].map(
  (share) => `color-mix(in oklab, var(--map-high) ${share}%, var(--map-low))`,
)

type Shape = (typeof shapes)[number]

/** The median by state, as a colour and in words. */
export function StateMap({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const codes = [...new Set(groups.map(({ code }) => code))]
  const [chosen, choose] = useState(codes[0])
  const code = codes.includes(chosen) ? chosen : codes[0]
  const shown = groups.filter((group) => group.code === code)
  return (
    <>
      {codes.length > 1 && (
        <SelectField
          label="Code on the map"
          value={code ?? ''}
          onChange={choose}
          options={codes.map((one = '') => ({ value: one, label: one }))}
        />
      )}
      <OneMap groups={shown} asPercent={asPercent} />
    </>
  )
}

function OneMap({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const key = groups.map((group) => group.key + group.values['percentile_50']).join()
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const byState = new Map(groups.map((group) => [group.state, group.values]))
      const valuesOf = (shape: Shape) => byState.get(stateLetters[shape.properties.name])
      const text = asPercent ? percentText : moneyText
      const known = shapes.filter((shape) => valuesOf(shape) !== undefined)
      const title = (shape: Shape) => {
        const values = valuesOf(shape)
        const { name } = shape.properties
        return values
          ? [
              name,
              `median ${text(values['percentile_50'] ?? 0)}`,
              `p10 to p90 ${text(values['percentile_10'] ?? 0)} to ${text(values['percentile_90'] ?? 0)}`,
              `${manyText(values['num_distinct_npis'] ?? 0, 'NPI')}, ${manyText(values['num_distinct_tins'] ?? 0, 'TIN')}`,
            ].join('\n')
          : `${name}\nnot asked, or no rates`
      }
      return {
        projection: 'albers-usa',
        height: width * 0.6,
        color: {
          type: 'quantize',
          range: steps,
          legend: true,
          // The legend takes its width from here; the types do not know it.
          ...({ width: Math.min(width, 380) } as object),
          label: asPercent ? 'median, percent of Medicare' : 'median, dollars',
          tickFormat: (tick: number) => (asPercent ? `${tick}%` : moneyText(tick).replace(/\.00$/, '')),
          unknown: 'var(--line)',
        },
        marks: [
          Plot.geo(shapes, { fill: 'var(--line)', stroke: 'var(--surface)' }),
          Plot.geo(known, {
            fill: (shape: Shape) => valuesOf(shape)?.['percentile_50'],
            stroke: 'var(--surface)',
          }),
          Plot.text(
            known,
            Plot.centroid({
              text: (shape: Shape) =>
                width < 480 || known.length > 25
                  ? stateLetters[shape.properties.name]!
                  : `${stateLetters[shape.properties.name]}\n${text(valuesOf(shape)?.['percentile_50'] ?? 0)}`,
              fill: 'var(--ink)',
              stroke: 'var(--surface)',
              strokeWidth: 3,
              fontSize: 12,
              fontWeight: 600,
            }),
          ),
          Plot.tip(shapes, Plot.pointer(Plot.centroid({ title, ...tipStyle }))),
        ],
      }
    },
    // The groups are made anew on every draw; their content counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [key, asPercent],
  )
  return <PlotFigure label="Median by state; the table below holds the numbers" options={options} />
}
