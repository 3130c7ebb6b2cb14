import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { Failure } from '../errors.ts'
import { ContractAsText, contractBytesMost, contractTextMost } from '../operations/contracts.ts'
import { parseRequest } from '../operations/parse.ts'
import type { KeptFile } from './document-folder.ts'
import { type DocumentType, fileDocumentType } from './text/document-type.ts'

/** A request's body, with the content type that it says it has. */
export interface Sent {
  readonly body: Readable
  readonly contentType: string | undefined
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A document that arrived and lies on the disk, judged by its content. */
export interface Uploaded extends KeptFile {
  readonly name: string
  readonly fileName: string
  readonly type: DocumentType
}

/** Puts a document's bytes on the disk as they arrive. */
export type Keep = (pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<KeptFile>

/** Receives the document in a request: a form's file, or text in JSON. When it fails, it writes nothing any more. */
export async function uploaded(sent: Sent, keep: Keep): Promise<Uploaded> {
  const { contentType = '' } = sent
  if (/^multipart\/form-data\b/i.test(contentType)) return fromForm(sent, contentType, keep)
  if (/^application\/json\b/i.test(contentType)) return fromJson(sent, keep)
  sent.body.resume()
  throw new Failure(
    'unsupported_media_type',
    'Send multipart/form-data with a file, or JSON with name and text.',
  )
}

const tooLarge = () => new Failure('too_large', 'A document may have at most 25 MB.')

// A character takes up to six bytes as an escape.
const jsonBytesMost = contractTextMost * 6 + 10_000

async function fromJson(sent: Sent, keep: Keep): Promise<Uploaded> {
  const bytes = await gathered(sent)
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new Failure('malformed_json', undefined, { cause: error })
  }
  const { name, text } = parseRequest(ContractAsText, json)
  const document = Buffer.from(text)
  if (document.length > contractBytesMost) throw tooLarge()
  return { name, fileName: `${name}.txt`, type: 'txt', ...(await keep([document])) }
}

function gathered({ body, signal }: Sent): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    body.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= jsonBytesMost) pieces.push(piece)
      else {
        pieces.length = 0
        reject(tooLarge())
      }
    })
    body.on('end', () => resolve(Buffer.concat(pieces)))
    onCutOff(body, signal, reject)
  })
}

/** Hears that the rest will not come, or that nobody waits for it. */
function onCutOff(body: Readable, signal: AbortSignal, reject: (failure: Failure) => void): void {
  const cutOff = (cause?: unknown) =>
    reject(new Failure('invalid_request', 'The request ended before it was whole.', { cause }))
  body.on('error', cutOff)
  body.on('close', () => body.readableEnded || cutOff())
  if (signal.aborted) cutOff(signal.reason)
  else signal.addEventListener('abort', () => cutOff(signal.reason), { once: true })
}

const unreadable = (cause: unknown) => new Failure('invalid_request', 'The form cannot be read.', { cause })

async function fromForm({ body, signal }: Sent, contentType: string, keep: Keep): Promise<Uploaded> {
  let name = ''
  let file: { stream: Readable; fileName: string; kept: Promise<KeptFile> } | undefined
  const form = openForm(body, contentType)
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('field', (field, value) => {
        if (field === 'name') name = value.trim().slice(0, 200)
      })
      form.on('file', (field, stream, fileName) => {
        if (field !== 'file') return void stream.resume()
        stream.on('limit', () => reject(tooLarge()))
        stream.on('error', (error) => reject(unreadable(error)))
        file = { stream, fileName: baseName(fileName), kept: keep(stream as AsyncIterable<Buffer>) }
        file.kept.catch(reject)
      })
      form.on('filesLimit', () =>
        reject(new Failure('invalid_request', 'Send one file in a form, as the part "file".')),
      )
      form.on('partsLimit', () => reject(new Failure('invalid_request', 'The form has too many parts.')))
      form.on('error', (error) => reject(unreadable(error)))
      form.on('finish', resolve)
      onCutOff(body, signal, reject)
      body.pipe(form)
    })
    if (!file) throw new Failure('invalid_request', 'The form has no part "file".')
    const kept = await file.kept
    const type = await fileDocumentType(kept.path)
    if (type === undefined)
      throw new Failure(
        'unsupported_media_type',
        'The file is none of PDF, Word (.docx), HTML and plain text.',
      )
    const { fileName } = file
    return { name: name || fileName.replace(/\.\w{2,5}$/, '') || 'Contract', fileName, type, ...kept }
  } catch (error) {
    // The rest is let go by, so that the client, which still sends, hears the answer.
    body.unpipe(form)
    body.resume()
    file?.stream.destroy(error as Error)
    await file?.kept.catch(() => {})
    throw error
  }
}

function openForm(body: Readable, contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: { files: 1, fields: 5, fieldSize: 1_000, parts: 6, fileSize: contractBytesMost },
    })
  } catch (error) {
    body.resume()
    throw unreadable(error)
  }
}

/** A name without folders and control characters. */
const baseName = (fileName: string | undefined) =>
  ((fileName ?? '').split(/[\\/]/).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 200) || 'document'
