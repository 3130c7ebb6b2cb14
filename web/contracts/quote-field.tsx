import { useId, useRef, useState } from 'react'
import { type Place, placeText, selectedPlace } from './places.ts'

/** Words of the document that an added entity rests on: typed or pasted, or taken from what is selected in the text. */
export function QuoteField({ name, label }: { name: string; label: string }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [place, setPlace] = useState<Place>()
  const [says, setSays] = useState('')
  const take = () => {
    const selected = selectedPlace()
    if (typeof selected === 'string') return setSays(selected)
    setSays(`From page ${selected.place.page}.`)
    setPlace(selected.place)
    if (field.current) field.current.value = selected.words
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        name={name}
        aria-describedby={`${id}-hint`}
        onChange={() => {
          setPlace(undefined)
          setSays('')
        }}
      />
      <input type="hidden" name={`${name}At`} value={place ? placeText(place) : ''} />
      <div className="row between">
        <span className="hint" id={`${id}-hint`}>
          Select words in the document, or type them as they stand there.
        </span>
        {/* Pressing it must not take the selection away. */}
        <button
          type="button"
          className="link small"
          onMouseDown={(event) => event.preventDefault()}
          onClick={take}
        >
          Take what is selected
        </button>
      </div>
      <span className="small" role="status">
        {says}
      </span>
    </div>
  )
}
