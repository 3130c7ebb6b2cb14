import { useState } from 'react'
import { percentText } from '../parts/format.ts'

interface Share {
  readonly key: string
  readonly percentOfBusiness: number
}

const shownMost = 12

/** Shares of one's business, typed beside each payer or code; what is left empty counts nothing once one is given. */
export function MixEditor({
  label,
  keys,
  mix,
  onChange,
}: {
  label: string
  keys: readonly string[]
  mix: readonly Share[]
  onChange: (mix: Share[]) => void
}) {
  const [all, setAll] = useState(false)
  const shares = new Map(mix.map(({ key, percentOfBusiness }) => [key, percentOfBusiness]))
  const listed = [...new Set([...keys, ...shares.keys()])]
  const shown = all ? listed : listed.slice(0, shownMost)
  const sum = mix.reduce((total, { percentOfBusiness }) => total + percentOfBusiness, 0)
  const set = (key: string, text: string) => {
    const value = Number(text.replace('%', '').trim())
    const rest = mix.filter((share) => share.key !== key)
    if (text.trim() === '') onChange(rest)
    else if (Number.isFinite(value) && value >= 0) onChange([...rest, { key, percentOfBusiness: value }])
  }
  return (
    <fieldset>
      <legend>{label}, percent</legend>
      <p className="soft small" role="status">
        {mix.length === 0
          ? 'None given: all count alike.'
          : `Sums to ${percentText(sum)}; shares are taken relative to their sum.`}
      </p>
      <div className="mix">
        {shown.map((key) => (
          <label key={key} className="share">
            <span className="clip" title={key}>
              {key}
            </span>
            <ShareInput value={shares.get(key)} onCommit={(text) => set(key, text)} />
          </label>
        ))}
      </div>
      <div className="row">
        {listed.length > shownMost && (
          <button type="button" className="link small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${listed.length}`}
          </button>
        )}
        {mix.length > 0 && (
          <button type="button" className="link small" onClick={() => onChange([])}>
            Clear {label.toLowerCase()}
          </button>
        )}
      </div>
    </fieldset>
  )
}

/** Typed freely, taken when left: half a number is no share. */
function ShareInput({ value, onCommit }: { value: number | undefined; onCommit: (text: string) => void }) {
  const [text, setText] = useState<string>()
  return (
    <input
      inputMode="decimal"
      placeholder="–"
      value={text ?? (value === undefined ? '' : String(value))}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        if (text !== undefined && text !== String(value ?? '')) onCommit(text)
        setText(undefined)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setText(undefined)
      }}
    />
  )
}
