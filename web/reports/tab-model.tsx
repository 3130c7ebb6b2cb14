import { useState } from 'react'
import { manualRateKey } from '../../src/operations/contract-model.ts'
import { csvOf, DownloadButton } from '../parts/download.tsx'
import { SelectField } from '../parts/form.tsx'
import { countText, percentText } from '../parts/format.ts'
import { BasisLine } from './basis-line.tsx'
import { computing, LeftOutLine, Looked, NoRows } from './look.tsx'
import { ModelTotals } from './model-totals.tsx'
import { RateInput } from './rate-input.tsx'
import { NoTins } from './no-tins.tsx'
import type { TabProps } from './tabs.ts'
import { useViewParams } from './view-params.ts'

const rowsAtOnce = 50

/** Codes by columns: your rate, competitors, percentiles, Medicare; any cell can be typed over. */
export function ModelTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const rowsBy = view.text('rows', 'payerAndCode')
  const [shown, setShown] = useState(rowsAtOnce)
  const { config, change } = edited
  const type = (key: string, rate: number | undefined) => {
    const { [key]: _, ...rest } = config.manualRates ?? {}
    change({ manualRates: rate === undefined ? rest : { ...rest, [key]: rate } })
  }
  return (
    <>
      <div className="row between">
        <SelectField
          label="A row for each"
          value={rowsBy}
          onChange={(rows) => view.set({ rows })}
          options={[
            { value: 'payerAndCode', label: 'Payer and code' },
            { value: 'code', label: 'Code, over all payers' },
          ]}
        />
        <p className="soft small">
          Type over any rate to try another; empty brings the published one back. Arrows up and down move in a
          column.
        </p>
      </div>
      <Looked
        name="reportModelContract"
        report={report}
        request={{ id: report.id, config: computing(config), rowsBy: rowsBy as 'code' }}
      >
        {({ basis, columns, rows, totals, leftOut }) => {
          if (rows.length === 0) return <NoRows />
          const yours = columns.find(({ kind }) => kind === 'yours')?.id ?? ''
          const lines = [
            ['payer', 'code_type', 'code', 'percent_of_business', ...columns.map(({ label }) => label)],
            ...rows.map((row) => [
              row.payer ?? '',
              row.billing_code_type,
              row.billing_code,
              String(row.percentOfBusiness),
              ...columns.map(({ id }) => String(row.cells[id]?.rate ?? '')),
            ]),
          ]
          return (
            <>
              <NoTins config={config} />
              <BasisLine basis={basis} />
              <ModelTotals columns={columns} totals={totals} />
              <div className="table-wrap model" role="region" aria-label="Model" tabIndex={0}>
                <table>
                  <caption className="visually-hidden">Rates by code and column</caption>
                  <thead>
                    <tr>
                      {rowsBy === 'payerAndCode' && <th scope="col">Payer</th>}
                      <th scope="col">Code</th>
                      <th scope="col" className="number">
                        Share
                      </th>
                      {columns.map(({ id, label, kind }) => (
                        <th key={id} scope="col" className={kind === 'yours' ? 'number yours' : 'number'}>
                          {label}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {rows.slice(0, shown).map((row, at) => {
                      const own = row.cells[yours]?.rate
                      return (
                        <tr key={`${row.payer} ${row.billing_code_type} ${row.billing_code}`}>
                          {rowsBy === 'payerAndCode' && <td>{row.payer}</td>}
                          <td className="nowrap">
                            {row.billing_code} <span className="soft">{row.billing_code_type}</span>
                          </td>
                          <td className="number">{percentText(row.percentOfBusiness)}</td>
                          {columns.map(({ id, label, kind }) => {
                            const cell = row.cells[id]
                            const rate = cell?.rate
                            const compared =
                              config.compareColorsEnabled && kind !== 'yours' && own != null && rate != null
                                ? rate > own
                                  ? 'above'
                                  : rate < own
                                    ? 'below'
                                    : ''
                                : ''
                            return (
                              <td key={id} className={`number ${compared}`}>
                                <RateInput
                                  label={`${label}, ${[row.payer, row.billing_code].filter(Boolean).join(' ')}`}
                                  rate={rate ?? null}
                                  isManual={cell?.isManual ?? false}
                                  entries={cell?.entries ?? 0}
                                  place={`${id} ${at}`}
                                  below={`${id} ${at + 1}`}
                                  above={`${id} ${at - 1}`}
                                  onType={(next) => type(manualRateKey(id, row), next)}
                                />
                              </td>
                            )
                          })}
                        </tr>
                      )
                    })}
                  </tbody>
                </table>
              </div>
              <div className="row">
                {rows.length > shown && (
                  <>
                    <span className="soft small">
                      Showing {countText(shown)} of {countText(rows.length)}
                    </span>
                    <button type="button" className="button" onClick={() => setShown(shown + rowsAtOnce)}>
                      Show more
                    </button>
                  </>
                )}
                <DownloadButton name="model.csv" text={csvOf(lines)} />
                {Object.keys(config.manualRates ?? {}).length > 0 && (
                  <button type="button" className="button" onClick={() => change({ manualRates: {} })}>
                    Clear typed rates ({Object.keys(config.manualRates ?? {}).length})
                  </button>
                )}
              </div>
              <LeftOutLine leftOut={leftOut} />
            </>
          )
        }}
      </Looked>
    </>
  )
}
