import { type JobHandler, JobFailure, JobSetback } from '../jobs/worker.ts'
import type { ExtractedEntities } from '../operations/contract-entities.ts'
import type { Records } from '../records/records.ts'
import { documentFolder, documentPath, keepText } from './document-folder.ts'
import type { Extractor } from './extractor.ts'
import { ServiceUnavailable } from './service/chat.ts'
import { readDocument, type ReadDocument, type ReadLimits, readLimits } from './read-document.ts'
import type { DocumentType } from './text/document-type.ts'
import { UnreadableDocument } from './text/text-limits.ts'

export const extractionJob = 'contract-extraction'

const scanned =
  'The document has no text; it looks like a scan. Run text recognition (OCR) on it and upload the result, or ask the operator to do so.'

/** Reads an uploaded contract in the background and publishes what it says as revision 0. */
export function extractionHandler(
  records: Records,
  dataFolder: string,
  extractor: Extractor,
  now: () => number,
  limits: ReadLimits = readLimits,
): JobHandler {
  return {
    async run(job, { signal, progress, publish }) {
      const id = job.subject
      const folder = documentFolder(dataFolder, job.organizationId!, id)
      const [row] = await records.transaction(async (statements) => {
        await statements.run(
          `update contracts set status = 'extracting' where id = $1 and status = 'queued'`,
          [id],
        )
        return statements.all('select document_type from contracts where id = $1', [id])
      })
      const type = row!['document_type'] as DocumentType
      const document = await read(documentPath(folder), { type, signal, limits })
      progress(0.5)
      if (!document.extraction) throw new JobFailure(scanned)
      const { entities, evidence } = await extracted(extractor, document, signal)
      await keepText(folder, document.text.pages)
      const { sources: _, ...resolved } = entities satisfies ExtractedEntities
      await publish(async (statements) => {
        await statements.insert(
          'contract_revisions',
          ['contract_id', 'revision', 'kind', 'resolved', 'at'],
          [[id, 0, 'extraction', JSON.stringify(resolved), now()]],
        )
        await statements.run(
          `update contracts set status = 'ready', error = null, pages = $2, extracted = $3, evidence = $4, extracted_at = $5 where id = $1`,
          [id, document.text.pages.length, JSON.stringify(entities), JSON.stringify(evidence), now()],
        )
      })
    },
    async failed(statements, job, message) {
      await statements.run(`update contracts set status = 'failed', error = $2 where id = $1`, [
        job.subject,
        message,
      ])
    },
  }
}

async function extracted(extractor: Extractor, document: ReadDocument, signal: AbortSignal) {
  try {
    return await extractor.extract(document, signal)
  } catch (error) {
    throw error instanceof ServiceUnavailable
      ? new JobSetback(`${error.message} Upload the document again later, or ask the operator.`, {
          cause: error,
        })
      : error
  }
}

async function read(path: string, options: Parameters<typeof readDocument>[1]): Promise<ReadDocument> {
  try {
    return await readDocument(path, options)
  } catch (error) {
    throw error instanceof UnreadableDocument ? new JobFailure(error.message, { cause: error }) : error
  }
}
