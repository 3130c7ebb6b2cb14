import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { countText, moneyText } from '../parts/format.ts'

/** A rate in a grid that can be typed over: Enter and leaving take it, Escape gives it up, empty brings the published one back. */
export function RateInput({
  label,
  rate,
  isManual,
  entries,
  place,
  above,
  below,
  onType,
}: {
  label: string
  rate: number | null
  isManual: boolean
  entries: number
  /** Names this cell, and those that arrows lead to. */
  place: string
  above: string
  below: string
  onType: (rate: number | undefined) => void
}) {
  const [text, setText] = useState<string>()
  const shown = rate === null ? '' : moneyText(rate)
  const asTyped = rate === null ? '' : String(rate)
  const value = text === undefined ? undefined : Number(text.replaceAll(/[$,\s]/g, ''))
  const wrong = text !== undefined && text.trim() !== '' && !(Number.isFinite(value) && value! >= 0)
  const take = () => {
    setText(undefined)
    if (text === undefined || wrong) return
    if (text.trim() === '') {
      if (isManual) onType(undefined)
    } else if (value !== rate) onType(value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') setText(undefined)
    const to =
      event.key === 'ArrowUp' ? above : ['ArrowDown', 'Enter'].includes(event.key) ? below : undefined
    if (to === undefined) return
    event.preventDefault()
    const next = document.querySelector<HTMLInputElement>(`input[data-place="${CSS.escape(to)}"]`)
    if (next) next.focus()
    else event.currentTarget.blur()
  }
  return (
    <input
      className={isManual ? 'rate typed' : 'rate'}
      data-place={place}
      aria-label={isManual ? `${label}, typed` : label}
      aria-invalid={wrong || undefined}
      inputMode="decimal"
      autoComplete="off"
      placeholder="–"
      title={
        isManual
          ? 'Typed by hand'
          : rate === null
            ? 'No published rate'
            : `${rate}, from ${countText(entries)} entries`
      }
      value={text ?? shown}
      onFocus={(event) => {
        // Selected before the next key arrives: a later selection would swallow what was typed meanwhile.
        flushSync(() => setText(asTyped))
        event.currentTarget.select()
      }}
      // A click puts the cursor somewhere after the focus; as long as nothing was typed, all stays selected.
      onMouseUp={(event) => text === asTyped && event.currentTarget.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={onKeyDown}
    />
  )
}
