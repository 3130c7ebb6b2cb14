import { useRef, useState } from 'react'
import { callCodes } from '../call-code.ts'
import { CopyButton } from './copy.tsx'

/** The question behind a view as a program asks it. */
export function AsCode({ path, body, tool }: { path: string; body: unknown; tool?: string | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const forms = callCodes(location.origin + path, body, tool)
  const [form, setForm] = useState(0)
  const shown = forms[form]!
  return (
    <>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        Show as API call
      </button>
      <dialog ref={dialog} aria-label="As an API call" style={{ width: 'min(52rem, calc(100vw - 2rem))' }}>
        <div className="stack">
          <div className="tabs" role="tablist">
            {forms.map(({ name }, at) => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={at === form}
                onClick={() => setForm(at)}
              >
                {name}
              </button>
            ))}
          </div>
          <pre tabIndex={0}>{shown.text}</pre>
          <div className="row between">
            <CopyButton text={shown.text} />
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </div>
      </dialog>
    </>
  )
}
