import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { Failure } from '../errors.ts'
import { ContractAsText, contractBytesMost } from '../operations/contracts.ts'
import { parseRequest } from '../operations/parse.ts'
import { documentType, type DocumentType } from './text/document-type.ts'

/** A document that arrived, at most 25 MB of it, judged by its content. */
export interface Uploaded {
  readonly name: string
  readonly fileName: string
  readonly type: DocumentType
  readonly bytes: Buffer
}

/** The document in a request: a form's file, or text in JSON. */
export async function uploaded(body: Readable, contentType: string | undefined): Promise<Uploaded> {
  if (/^multipart\/form-data\b/i.test(contentType ?? '')) return fromForm(body, contentType!)
  if (/^application\/json\b/i.test(contentType ?? '')) return fromJson(body)
  throw new Failure(
    'unsupported_media_type',
    'Send multipart/form-data with a file, or JSON with name and text.',
  )
}

const tooLarge = () => new Failure('too_large', 'A document may have at most 25 MB.')

async function fromJson(body: Readable): Promise<Uploaded> {
  // An escape takes up to six bytes for a character.
  const bytes = await gathered(body, contractBytesMost * 2)
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new Failure('malformed_json', undefined, { cause: error })
  }
  const { name, text } = parseRequest(ContractAsText, json)
  const document = Buffer.from(text)
  if (document.length > contractBytesMost) throw tooLarge()
  return judged({ name, fileName: `${name}.txt`, bytes: document, type: 'txt' })
}

async function gathered(body: Readable, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > most) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function fromForm(body: Readable, contentType: string): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    let name: string | undefined
    let file: Promise<{ bytes: Buffer; fileName: string }> | undefined
    const fail = (error: unknown) => {
      body.unpipe()
      body.resume()
      reject(
        error instanceof Failure
          ? error
          : new Failure('invalid_request', 'The form cannot be read.', { cause: error }),
      )
    }
    let form: BusboyInstance
    try {
      form = new Busboy({
        headers: { 'content-type': contentType } as BusboyHeaders,
        limits: { files: 1, fields: 5, fieldSize: 1_000, parts: 6, fileSize: contractBytesMost },
      })
    } catch (error) {
      return fail(error)
    }
    form.on('field', (field, value) => {
      if (field === 'name') name = value.trim().slice(0, 200)
    })
    form.on('file', (field, stream, fileName) => {
      if (field !== 'file') return void stream.resume()
      stream.on('limit', () => fail(tooLarge()))
      file = gathered(stream, contractBytesMost).then((bytes) => ({ bytes, fileName: baseName(fileName) }))
      file.catch(fail)
    })
    form.on('error', fail)
    form.on('finish', () => {
      if (!file) return fail(new Failure('invalid_request', 'The form has no part "file".'))
      file
        .then(({ bytes, fileName }) =>
          resolve(
            judged({ name: name || fileName.replace(/\.\w{2,5}$/, ''), fileName, bytes, type: undefined }),
          ),
        )
        .catch(fail)
    })
    body.on('error', fail)
    body.pipe(form)
  })
}

/** A name without folders and control characters. */
const baseName = (fileName: string | undefined) =>
  ((fileName ?? '').split(/[\\/]/).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 200) || 'document'

function judged({
  name,
  fileName,
  bytes,
  type,
}: Omit<Uploaded, 'type'> & { type: DocumentType | undefined }): Uploaded {
  const judgedType = type ?? documentType(bytes)
  if (judgedType === undefined)
    throw new Failure('unsupported_media_type', 'The file is none of PDF, Word (.docx), HTML and plain text.')
  return { name: name || 'Contract', fileName, bytes, type: judgedType }
}
