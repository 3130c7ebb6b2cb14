import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'us-atlas/states-10m.json'
import type { Group } from '../pivot.ts'
import { countText, moneyText, percentText } from './format.ts'
import { PlotFigure } from './plot.tsx'

const topology = atlas as unknown as Topology<{ states: GeometryCollection<{ name: string }> }>
const shapes = feature(topology, topology.objects.states).features

// The atlas names states in full; our rows by their letters.
const letters: Record<string, string> = Object.fromEntries(
  'Alabama AL;Alaska AK;Arizona AZ;Arkansas AR;California CA;Colorado CO;Connecticut CT;Delaware DE;District of Columbia DC;Florida FL;Georgia GA;Hawaii HI;Idaho ID;Illinois IL;Indiana IN;Iowa IA;Kansas KS;Kentucky KY;Louisiana LA;Maine ME;Maryland MD;Massachusetts MA;Michigan MI;Minnesota MN;Mississippi MS;Missouri MO;Montana MT;Nebraska NE;Nevada NV;New Hampshire NH;New Jersey NJ;New Mexico NM;New York NY;North Carolina NC;North Dakota ND;Ohio OH;Oklahoma OK;Oregon OR;Pennsylvania PA;Rhode Island RI;South Carolina SC;South Dakota SD;Tennessee TN;Texas TX;Utah UT;Vermont VT;Virginia VA;Washington WA;West Virginia WV;Wisconsin WI;Wyoming WY;Puerto Rico PR'
    .split(';')
    .map((line) => [line.slice(0, -3), line.slice(-2)]),
)

/** The median by state. */
export function StateMap({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const options = useCallback(
    (width: number): Plot.PlotOptions => {
      const byState = new Map(groups.map((group) => [group.state, group.values]))
      const valuesOf = (shape: { properties: { name: string } }) =>
        byState.get(letters[shape.properties.name])
      const text = asPercent ? percentText : moneyText
      return {
        projection: 'albers-usa',
        height: width * 0.6,
        color: {
          type: 'quantize',
          n: 6,
          scheme: 'bugn',
          legend: true,
          label: asPercent ? 'median, percent of Medicare' : 'median, dollars',
          unknown: 'var(--line)',
        },
        marks: [
          Plot.geo(shapes, {
            fill: (shape: (typeof shapes)[number]) => valuesOf(shape)?.['percentile_50'],
            stroke: 'var(--surface)',
            tip: true,
            title: (shape: (typeof shapes)[number]) => {
              const values = valuesOf(shape)
              const { name } = shape.properties
              return values
                ? `${name}\nmedian ${text(values['percentile_50'] ?? 0)}\n${countText(values['num_distinct_npis'] ?? 0)} NPIs`
                : `${name}\nnot asked, or no rates`
            },
          }),
        ],
      }
    },
    [groups, asPercent],
  )
  return <PlotFigure label="Median by state; the table below holds the numbers" options={options} />
}
