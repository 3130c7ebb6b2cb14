import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { contractBytesMost } from '../../src/operations/contracts.ts'
import { ApiFailure, uploadContract } from '../api.ts'
import { bytesText } from '../parts/format.ts'
import { FailureNotice } from '../parts/notice.tsx'

/** Sends documents one after the other, showing how far each is. */
export function Upload() {
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const giveUp = useRef<AbortController>(undefined)
  const [sending, setSending] = useState<{ name: string; part: number }>()
  const [failure, setFailure] = useState<unknown>()

  const send = async (event: FormEvent) => {
    event.preventDefault()
    const files = [...(field.current?.files ?? [])]
    setFailure(files.length === 0 ? new ApiFailure(0, { detail: 'Choose a file first.' }) : undefined)
    giveUp.current = new AbortController()
    try {
      for (const file of files) {
        if (file.size > contractBytesMost)
          throw new ApiFailure(413, {
            detail: `${file.name} has ${bytesText(file.size)}; a document may have at most 25 MB.`,
          })
        setSending({ name: file.name, part: 0 })
        await uploadContract(file, (part) => setSending({ name: file.name, part }), giveUp.current.signal)
        await queries.invalidateQueries({ queryKey: ['contracts'] })
      }
      if (field.current) field.current.value = ''
    } catch (error) {
      if (!giveUp.current.signal.aborted) setFailure(error)
    } finally {
      setSending(undefined)
    }
  }

  return (
    <form className="card" aria-label="Upload" onSubmit={(event) => void send(event)}>
      <div className="row upload">
        <div className="field">
          <label htmlFor="contract-files">Documents to upload</label>
          <input
            ref={field}
            id="contract-files"
            type="file"
            multiple
            accept=".pdf,.docx,.html,.htm,.txt"
            aria-describedby="contract-files-hint"
          />
          <span className="hint" id="contract-files-hint">
            PDF with text, Word, HTML or plain text, 25 MB at most each.
          </span>
        </div>
        <button className="button primary" type="submit" disabled={sending !== undefined}>
          Upload
        </button>
      </div>
      {sending && (
        <div className="stack tight">
          <div className="row between small">
            <span role="status" className="wrap">
              Sending {sending.name}…
            </span>
            <button type="button" className="button" onClick={() => giveUp.current?.abort()}>
              Cancel
            </button>
          </div>
          <progress max={1} value={sending.part} aria-label={`Progress of ${sending.name}`} />
        </div>
      )}
      {failure !== undefined && <FailureNotice failure={failure} />}
    </form>
  )
}
