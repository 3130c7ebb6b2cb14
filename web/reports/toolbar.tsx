import { useEffect } from 'react'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import type { EditedConfig, SaveStatus } from './saved-config.ts'

const statusText: Record<SaveStatus, string> = {
  saved: 'Saved',
  waiting: 'Saving…',
  saving: 'Saving…',
  conflict: 'Not saved',
  failed: 'Not saved',
}

/** What applies to every tab, undo, and whether the configuration is kept. */
export function Toolbar({ edited }: { edited: EditedConfig }) {
  const { config, change, undo, redo, status } = edited
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A field undoes its own letters.
      if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      event.preventDefault()
      if (event.shiftKey) redo?.()
      else undo?.()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [undo, redo])
  return (
    <div className="row between">
      <div className="row">
        <Switch
          label="Best rate only"
          title="One rate per TIN, payer, code and context: the highest"
          isOn={config.isBestRateChosen ?? false}
          turn={(isBestRateChosen) => change({ isBestRateChosen })}
        />
        <Switch
          label="Without outliers"
          title="Leaves out rates far from the others (interquartile range of the logarithms)"
          isOn={config.isOutlierRemoved ?? false}
          turn={(isOutlierRemoved) => change({ isOutlierRemoved })}
        />
        <Switch
          label="Colour comparisons"
          title="Marks rates above and below yours"
          isOn={config.compareColorsEnabled ?? false}
          turn={(compareColorsEnabled) => change({ compareColorsEnabled })}
        />
      </div>
      <div className="row">
        <span className="soft small" role="status">
          {statusText[status]}
        </span>
        <button type="button" className="button" disabled={!undo} onClick={undo}>
          Undo
        </button>
        <button type="button" className="button" disabled={!redo} onClick={redo}>
          Redo
        </button>
      </div>
    </div>
  )
}

function Switch({
  label,
  title,
  isOn,
  turn,
}: {
  label: string
  title: string
  isOn: boolean
  turn: (isOn: boolean) => void
}) {
  return (
    <label className="check" title={title}>
      <input type="checkbox" checked={isOn} onChange={(event) => turn(event.target.checked)} />
      {label}
    </label>
  )
}

/** Two people on one report: the later one chooses. */
export function SaveTrouble({ edited }: { edited: EditedConfig }) {
  if (edited.status === 'conflict')
    return (
      <Notice kind="warn" title="Somebody else changed this report">
        <div className="stack tight">
          <p>They saved it while you were working. Nothing of yours is lost yet.</p>
          <div className="row">
            <button type="button" className="button" onClick={() => void edited.takeTheirs()}>
              Reload theirs
            </button>
            <button type="button" className="button danger" onClick={() => void edited.overwrite()}>
              Overwrite with mine
            </button>
          </div>
        </div>
      </Notice>
    )
  if (edited.status === 'failed') return <FailureNotice failure={edited.failure} retry={edited.retry} />
  return null
}
