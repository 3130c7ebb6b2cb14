import { isUrl } from '../files/address.ts'
import { fetched } from '../files/http.ts'
import { httpClient, type HttpOptions } from '../files/http-client.ts'
import { packingFinding, pipelineFinding, type FindingLine } from './pipeline-findings.ts'
import type { SourceFile } from './sources.ts'
import { tableOfContents } from './table-of-contents.ts'
import { fileBytes, unpacked } from './unpack.ts'

interface Asked {
  readonly http?: HttpOptions
  readonly signal?: AbortSignal
}

/** What is wrong with a table of contents. */
export async function indexFindings(source: SourceFile, { http, signal }: Asked): Promise<FindingLine[]> {
  const client = httpClient(http)
  try {
    const answer = isUrl(source.from) ? await fetched(client, source.from, signal && { signal }) : undefined
    const bytes = answer && answer !== 'unchanged' ? answer.bytes : fileBytes(source.from, signal)
    const findings: FindingLine[] = []
    for await (const file of unpacked({ bytes, ...(!isUrl(source.from) && { path: source.from }) })) {
      const index = tableOfContents(file.bytes)
      let [plans, files] = [0, 0]
      for await (const listings of index.listings)
        for (const listing of listings) {
          if ('plan' in listing) plans++
          else files++
        }
      const broken = index.problem()
      if (broken) findings.push({ ...pipelineFinding('unreadable', broken.says), offset: broken.offset })
      const cut = file.problem()
      if (cut) findings.push(packingFinding(cut))
      if (plans === 0 || files === 0)
        findings.push(pipelineFinding('unreadable', 'the index lists no plan or no file'))
    }
    return findings
  } finally {
    await client.close()
  }
}
