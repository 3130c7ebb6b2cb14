import * as Plot from '@observablehq/plot'
import { useCallback } from 'react'
import { countText } from './format.ts'
import { PlotFigure } from './plot.tsx'

interface Day {
  readonly name: string
  readonly calls: number
  readonly failures: number
  readonly credits: number
}

/** Calls a day, days without any included. */
export function DayBars({ days, from, to }: { days: readonly Day[]; from: string; to: string }) {
  const options = useCallback(
    (): Plot.PlotOptions => ({
      height: 180,
      marginLeft: 48,
      x: { type: 'utc', domain: [new Date(from), new Date(Date.parse(to) + 86_400_000)], label: null },
      y: {
        grid: true,
        label: 'calls',
        tickFormat: (value: number) => (Number.isInteger(value) ? countText(value) : ''),
      },
      marks: [
        Plot.rectY(days, {
          x1: ({ name }: Day) => new Date(name),
          x2: ({ name }: Day) => new Date(Date.parse(name) + 86_400_000),
          y: 'calls',
          fill: 'var(--accent)',
          insetLeft: 1,
          insetRight: 1,
          tip: true,
          title: ({ name, calls, failures, credits }: Day) =>
            `${name}\n${countText(calls)} calls, ${countText(failures)} failed\n${countText(credits)} credits`,
        }),
        Plot.ruleY([0]),
      ],
    }),
    [days, from, to],
  )
  const total = days.reduce((sum, { calls }) => sum + calls, 0)
  return (
    <PlotFigure label={`Calls a day from ${from} to ${to}, ${countText(total)} in all`} options={options} />
  )
}
