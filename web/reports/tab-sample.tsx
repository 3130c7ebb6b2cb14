import { freshId } from '../fresh-id.ts'
import { type FormEvent, useState } from 'react'
import { csvOf, DownloadButton } from '../parts/download.tsx'
import { MultiSelect } from '../parts/choices.tsx'
import { TextField } from '../parts/form.tsx'
import { countText } from '../parts/format.ts'
import { DataTable } from '../parts/table.tsx'
import { computing, LeftOutLine, Looked, NoRows } from './look.tsx'
import { columnOptions, columnsAtFirst, type DataRow, tableColumns } from './row-columns.tsx'
import type { TabProps } from './tabs.ts'
import { useViewParams } from './view-params.ts'

/** Rows drawn at random, the same again for the same seed. */
export function SampleTab({ report, edited }: TabProps) {
  const view = useViewParams()
  const size = Math.min(10_000, Math.max(1, Math.trunc(Number(view.text('size', '100'))) || 100))
  const seed = view.text('seed')
  const shown = view.list('show', columnsAtFirst)
  return (
    <>
      <SampleForm key={`${size} ${seed}`} size={size} seed={seed} set={view.set} />
      <MultiSelect
        label="Columns"
        all={columnOptions}
        chosen={shown}
        onChange={(show) => view.set({ show })}
      />
      <Looked
        name="reportSample"
        report={report}
        request={{ id: report.id, config: computing(edited.config), size, ...(seed && { seed }) }}
      >
        {(answer) =>
          answer.data.length === 0 ? (
            <NoRows />
          ) : (
            <>
              <p className="soft small">
                {countText(answer.data.length)} of {countText(answer.totalRows)} rows, drawn with the seed{' '}
                <code className="wrap">{answer.seed}</code>
              </p>
              <DataTable<DataRow>
                caption="Sample of rows"
                rows={answer.data}
                rowKey={(_, at) => String(at)}
                columns={tableColumns(answer.columns.filter(({ id }) => shown.includes(id)))}
              />
              <div className="row">
                <DownloadButton
                  name="sample.csv"
                  text={csvOf([
                    answer.columns.map(({ id }) => id),
                    ...answer.data.map((row) => answer.columns.map(({ id }) => String(row[id] ?? ''))),
                  ])}
                />
              </div>
              <LeftOutLine leftOut={answer.leftOut} />
            </>
          )
        }
      </Looked>
    </>
  )
}

/** How many, and by which seed; asked when sent. */
export function SampleForm({
  size,
  seed,
  set,
  what = 'Rows',
  name = 'size',
}: {
  size: number
  seed: string
  set: (part: Record<string, string>) => void
  what?: string
  name?: string
}) {
  const [draft, setDraft] = useState({ size: String(size), seed })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set({ [name]: draft.size, seed: draft.seed.trim() })
  }
  return (
    <form className="inline-fields" onSubmit={submit} aria-label="What to draw">
      <TextField
        label={what}
        inputMode="numeric"
        value={draft.size}
        onChange={(event) => setDraft({ ...draft, size: event.target.value })}
      />
      <TextField
        label="Seed"
        placeholder="the report’s own"
        maxLength={100}
        value={draft.seed}
        onChange={(event) => setDraft({ ...draft, seed: event.target.value })}
      />
      <div className="field">
        <span className="label" aria-hidden="true">
          &nbsp;
        </span>
        <div className="row">
          <button type="submit" className="button">
            Draw
          </button>
          <button
            type="button"
            className="button"
            onClick={() => set({ [name]: draft.size, seed: freshId().slice(0, 8) })}
          >
            Draw others
          </button>
        </div>
      </div>
    </form>
  )
}
