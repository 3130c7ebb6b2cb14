import { type FormEvent, useState } from 'react'
import {
  comparingOperators,
  isGroup,
  nullOperators,
  type ReportFilter,
  type ReportFilterGroup,
} from '../../src/operations/report-filter.ts'
import type { Report } from '../../src/operations/report-record.ts'
import { SelectField, TextField } from '../parts/form.tsx'
import { labelOf } from './columns.ts'
import type { EditedConfig } from './saved-config.ts'

const operatorNames: Record<ReportFilter['op'], string> = {
  EQUAL: 'is',
  NOT_EQUAL: 'is not',
  GREATER_THAN: 'is more than',
  LESS_THAN: 'is less than',
  GREATER_THAN_OR_EQUAL: 'is at least',
  LESS_THAN_OR_EQUAL: 'is at most',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  MATCH_WORDS: 'has all the words',
  IS_NULL: 'is empty',
  IS_NOT_NULL: 'is not empty',
}
const operators = [...comparingOperators, ...nullOperators]
const takesValue = (op: string) => (comparingOperators as readonly string[]).includes(op)

const filterText = (filter: ReportFilter) =>
  [labelOf(filter.field), operatorNames[filter.op], 'value' in filter ? String(filter.value) : '']
    .filter(Boolean)
    .join(' ')

/** The filters that every tab uses: each a chip, all of them or any of them. */
export function FilterBar({ report, edited }: { report: Report; edited: EditedConfig }) {
  const { config, change } = edited
  const [adding, setAdding] = useState(false)
  const saved = config.dropdownFilters
  const tree: ReportFilterGroup =
    saved && 'filters' in saved ? (saved as ReportFilterGroup) : { op: 'AND', filters: [] }
  const set = (filters: ReportFilterGroup['filters'], op = tree.op) =>
    change({ dropdownFilters: { op, filters } })
  return (
    <div className="stack tight">
      <div className="row" role="group" aria-label="Filters">
        {tree.filters.map((member, at) => {
          const text = isGroup(member) ? JSON.stringify(member) : filterText(member)
          return (
            <span key={`${at} ${text}`} className="chip" title={text}>
              <span>{isGroup(member) ? `a group of ${member.filters.length}` : text}</span>
              <button
                type="button"
                aria-label={`Remove the filter ${text}`}
                onClick={() => set(tree.filters.filter((_, other) => other !== at))}
              >
                ×
              </button>
            </span>
          )
        })}
        {tree.filters.length > 1 && (
          <button
            type="button"
            className="link small"
            onClick={() => set(tree.filters, tree.op === 'AND' ? 'OR' : 'AND')}
          >
            {tree.op === 'AND' ? 'all of them hold' : 'any of them holds'}
          </button>
        )}
        <button type="button" className="button" aria-expanded={adding} onClick={() => setAdding(!adding)}>
          {adding ? 'Close' : 'Add a filter'}
        </button>
      </div>
      {adding && (
        <NewFilter
          report={report}
          onAdd={(filter) => {
            set([...tree.filters, filter])
            setAdding(false)
          }}
        />
      )}
    </div>
  )
}

function NewFilter({ report, onAdd }: { report: Report; onAdd: (filter: ReportFilter) => void }) {
  const [field, setField] = useState('payer')
  const [op, setOp] = useState<string>('EQUAL')
  const [value, setValue] = useState('')
  const column = report.columns.find(({ id }) => id === field)
  const isNumber = column !== undefined && column.kind !== 'text'
  const number = Number(value.replaceAll(/[$,%\s]/g, ''))
  const wrong = takesValue(op) && (value.trim() === '' || (isNumber && !Number.isFinite(number)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wrong) return
    onAdd(
      takesValue(op)
        ? ({ op, field, value: isNumber ? number : value.trim() } as ReportFilter)
        : ({ op, field } as ReportFilter),
    )
  }
  return (
    <form className="card inline-fields" aria-label="New filter" onSubmit={submit}>
      <SelectField
        label="Column"
        value={field}
        onChange={setField}
        options={report.columns.map(({ id, label }) => ({ value: id, label }))}
      />
      <SelectField
        label="Condition"
        value={op}
        onChange={setOp}
        options={operators.map((one) => ({ value: one, label: operatorNames[one] }))}
      />
      {takesValue(op) && (
        <TextField
          label="Value"
          autoFocus
          value={value}
          onChange={(event) => setValue(event.target.value)}
          {...(column && { hint: column.description })}
        />
      )}
      <div className="field">
        <span className="label" aria-hidden="true">
          &nbsp;
        </span>
        <button type="submit" className="button primary" disabled={wrong}>
          Use it
        </button>
      </div>
    </form>
  )
}
