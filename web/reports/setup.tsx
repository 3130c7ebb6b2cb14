import { freshId } from '../fresh-id.ts'
import { useEffect, useState } from 'react'
import {
  type CompetitorColumn,
  competitorColumnsMost,
  competitorTinsMost,
  yourTinsMost,
} from '../../src/operations/contract-model.ts'
import type { Report } from '../../src/operations/report-record.ts'
import { SelectField } from '../parts/form.tsx'
import { manyText } from '../parts/format.ts'
import { summaryOptions } from './columns.ts'
import { CommittedField } from './committed-field.tsx'
import { MixEditor } from './mix-editor.tsx'
import type { EditedConfig } from './saved-config.ts'
import { TinPicker } from './tin-picker.tsx'

/** What makes a market one's own: TINs, competitors, mixes, revenue, and what to be measured against. */
export function Setup({
  report,
  edited,
  isWanted,
}: {
  report: Report
  edited: EditedConfig
  /** The tab below cannot say much without it. */
  isWanted: boolean
}) {
  const [isOpen, setOpen] = useState(isWanted)
  useEffect(() => {
    if (isWanted) setOpen(true)
  }, [isWanted])
  const { config, change } = edited
  const competitors = config.competitorColumns ?? []
  const codes = [...new Set(report.query.billingCodeAndTypes.map(({ code, type }) => `${type} ${code}`))]
  const yours = config.yourTins ?? []
  return (
    <details className="card setup" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Your side of the table
        <span className="soft">
          {' '}
          {[
            yours.length > 0 ? manyText(yours.length, 'TIN') : 'no TIN chosen',
            competitors.length > 0 && manyText(competitors.length, 'competitor'),
            config.totalAnnualRevenue && `${config.totalAnnualRevenue} a year`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </summary>
      <div className="stack">
        <div className="figures">
          <TinPicker
            label="Your TINs"
            hint="Search by name, or paste 8 to 10 digits in any form"
            chosen={yours}
            most={yourTinsMost}
            onChange={(yourTins) => change({ yourTins })}
          />
          <CommittedField
            label="Annual revenue"
            hint="Dollars a year with these payers and codes; one million stands in for it"
            inputMode="decimal"
            placeholder="$12,500,000"
            maxLength={64}
            text={config.totalAnnualRevenue ?? ''}
            onCommit={(totalAnnualRevenue) => change({ totalAnnualRevenue })}
          />
          <SelectField
            label="Measured against"
            value={config.baselineBenchmark ?? 'p75'}
            onChange={(baselineBenchmark) => change({ baselineBenchmark })}
            options={[
              { value: 'p50', label: 'Median of the market' },
              { value: 'p75', label: '75th percentile of the market' },
              { value: 'p90', label: '90th percentile of the market' },
              ...competitors.map(({ id, label }) => ({ value: `competitor_${id}`, label })),
            ]}
          />
          <SelectField
            label="Your rate is"
            value={config.baselineColumn ?? 'negotiated_rate'}
            onChange={(baselineColumn) => change({ baselineColumn })}
            options={report.columns
              .filter(({ kind }) => kind === 'dollars')
              .map(({ id, label }) => ({
                value: id,
                label: id === 'negotiated_rate' ? 'The published rate' : label,
              }))}
          />
        </div>
        <fieldset className="stack">
          <legend>Competitors</legend>
          {competitors.map((column) => (
            <Competitor
              key={column.id}
              column={column}
              onChange={(next) =>
                change({
                  competitorColumns: competitors.flatMap((one) =>
                    one.id === column.id ? (next ? [next] : []) : [one],
                  ),
                })
              }
            />
          ))}
          {competitors.length < competitorColumnsMost && (
            <NewCompetitor
              key={competitors.length}
              onAdd={(column) => change({ competitorColumns: [...competitors, column] })}
            />
          )}
        </fieldset>
        <div className="figures">
          <MixEditor
            label="Payer mix"
            keys={report.query.payers}
            mix={config.payerMix ?? []}
            onChange={(payerMix) => change({ payerMix })}
          />
          <MixEditor
            label="Code mix"
            keys={codes}
            mix={config.billingCodeMix ?? []}
            onChange={(billingCodeMix) => change({ billingCodeMix })}
          />
        </div>
      </div>
    </details>
  )
}

function Competitor({
  column,
  onChange,
}: {
  column: CompetitorColumn
  onChange: (next: CompetitorColumn | undefined) => void
}) {
  return (
    <div className="competitor" role="group" aria-label={`Competitor ${column.label}`}>
      <CommittedField
        label="Heading"
        maxLength={500}
        text={column.label}
        onCommit={(label) => label.trim() !== '' && onChange({ ...column, label: label.trim() })}
      />
      <TinPicker
        label="TINs"
        chosen={column.tins}
        most={competitorTinsMost}
        onChange={(tins) => onChange(tins.length === 0 ? undefined : { ...column, tins })}
      />
      <SelectField
        label="Several rates become"
        value={column.aggregation}
        onChange={(aggregation) => onChange({ ...column, aggregation: aggregation as 'median' })}
        options={summaryOptions}
      />
      <button type="button" className="button quiet" onClick={() => onChange(undefined)}>
        Remove
      </button>
    </div>
  )
}

/** A competitor begins with a TIN, found by name. */
function NewCompetitor({ onAdd }: { onAdd: (column: CompetitorColumn) => void }) {
  return (
    <TinPicker
      label="Add a competitor"
      hint="The first TIN makes a column; more can be added to it"
      chosen={[]}
      most={competitorTinsMost}
      onChange={(tins) =>
        tins.length > 0 &&
        onAdd({
          id: freshId(),
          label: tins[0]!.title,
          tins,
          aggregation: 'median',
        })
      }
    />
  )
}
