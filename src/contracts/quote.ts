import { Failure } from '../errors.ts'
import type { Evidence } from '../operations/contract-entities.ts'
import type { QuoteRequest } from '../operations/contracts.ts'
import type { Records } from '../records/records.ts'
import { documentFolder, keptText } from './document-folder.ts'
import { contract, type Owner, refuseUnread } from './store.ts'

/** How many pieces of evidence one contract may have; far more than any has entities. */
const evidenceMost = 20_000

/** Makes evidence of words that a person chose in the document. The same words are the same evidence. */
export async function quote(
  records: Records,
  dataFolder: string,
  owner: Owner,
  id: string,
  { page, start, end }: QuoteRequest,
): Promise<Evidence> {
  refuseUnread(await contract(records, owner, id))
  const pages = await keptText(documentFolder(dataFolder, owner.organizationId, id))
  const text = pages[page - 1]?.slice(start, end) ?? ''
  if (text.length !== end - start || text.trim() === '')
    throw new Failure('invalid_request', undefined, {
      problems: [
        { path: 'page', message: 'there are no such words: page, start or end lies outside the text' },
      ],
    })
  const made: Evidence = { id: `quote-${page}-${start}-${end}`, page, start, end, text }
  const locking = records.kind === 'postgres' ? ' for update' : ''
  return records.transaction(async (statements) => {
    const [row] = await statements.all(
      `select evidence from contracts where id = $1 and organization_id = $2 and deleted_at is null${locking}`,
      [id, owner.organizationId],
    )
    if (!row) throw new Failure('not_found', 'There is no such contract.')
    const evidence = JSON.parse(String(row['evidence'])) as Evidence[]
    if (evidence.some((known) => known.id === made.id)) return made
    if (evidence.length >= evidenceMost)
      throw new Failure('conflict', `The contract has ${evidenceMost} pieces of evidence, the most it can.`)
    await statements.run('update contracts set evidence = $2 where id = $1', [
      id,
      JSON.stringify([...evidence, made]),
    ])
    return made
  })
}
