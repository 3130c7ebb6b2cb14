import { editContract, revertContract } from '../contracts/change-contract.ts'
import { documentFolder, keptText, openDocument } from '../contracts/document-folder.ts'
import { deleteContract, newContract } from '../contracts/new-contract.ts'
import { quote } from '../contracts/quote.ts'
import { contract, contracts, entities, refuseUnread, revision, revisions } from '../contracts/store.ts'
import { mediaTypes } from '../contracts/text/document-type.ts'
import type { JobWorker } from '../jobs/worker.ts'
import { Download } from '../operations/download.ts'
import type { Records } from '../records/records.ts'
import type { Answers } from './answers.ts'

/** Answers about contracts. Each sees its caller's organisation only. */
export function contractAnswers(
  records: Records,
  dataFolder: string,
  jobs: Pick<JobWorker, 'look'>,
  now: () => number,
): Answers {
  return {
    createContract: async (_, { caller, body, sent, signal }) => {
      const upload = { body: body!, contentType: sent('content-type'), signal }
      const made = await newContract(records, dataFolder, caller, upload, now)
      jobs.look()
      return made
    },
    listContracts: (request, { caller }) => contracts(records, caller, request),
    readContract: ({ id }, { caller }) => contract(records, caller, id),
    contractDocument: async ({ id }, { caller, header }) => {
      const { documentType, fileName } = await contract(records, caller, id)
      const { stream, bytes } = await openDocument(documentFolder(dataFolder, caller.organizationId, id))
      // An uploaded page is somebody else's: saved, never shown as one of ours, and without rights if it is opened.
      header('Content-Security-Policy', "sandbox; default-src 'none'")
      header('X-Content-Type-Options', 'nosniff')
      return new Download(mediaTypes[documentType], fileName, stream, { bytes })
    },
    contractText: async ({ id }, { caller }) => {
      refuseUnread(await contract(records, caller, id))
      const pages = await keptText(documentFolder(dataFolder, caller.organizationId, id))
      return { id, pages: pages.map((text, at) => ({ page: at + 1, text })) }
    },
    deleteContract: async ({ id }, { caller }) => {
      await deleteContract(records, caller, id, now())
      return null
    },
    contractEntities: ({ id }, { caller }) => entities(records, caller, id),
    quoteContract: ({ id, ...request }, { caller }) => quote(records, dataFolder, caller, id, request),
    editContract: ({ id, ...request }, { caller }) => editContract(records, caller, id, request, now()),
    revertContract: ({ id, ...request }, { caller }) => revertContract(records, caller, id, request, now()),
    contractRevisions: (request, { caller }) => revisions(records, caller, request),
    contractRevision: ({ id, revision: number }, { caller }) => revision(records, caller, id, number),
  }
}
