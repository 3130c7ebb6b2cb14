import { Failure } from '../errors.ts'
import { rowsPageDefault, rowsPageMost } from '../operations/report-rows.ts'
import { cursorCodec } from '../pricing/cursor.ts'
import type { ReportCall } from './report-call.ts'
import type { StoredReport } from './store.ts'

const cursorMs = 7 * 86_400_000

/** The places in pages of reports and of their rows: good for one question, one organisation and one build of the rows. */
export class ReportCursors {
  private readonly codec: ReturnType<typeof cursorCodec>
  private readonly now: () => number

  constructor(secret: string, now: () => number) {
    this.codec = cursorCodec(secret)
    this.now = now
  }

  /** Where the page of rows begins. */
  position(cursor: string | undefined, query: string, build: string, call: ReportCall): number {
    if (cursor === undefined) return 0
    const organization = call.caller.organizationId
    const { snapshot, position } = this.codec.decode(cursor, { query, organization, now: this.now() })
    if (snapshot !== build)
      throw new Failure(
        'invalid_cursor',
        'The report was refreshed since the first page. Start again without the cursor.',
      )
    return position
  }

  /** Leads to the page of rows that begins there. */
  cursor(query: string, build: string, position: number, call: ReportCall): string {
    return this.codec.encode({
      query,
      organization: call.caller.organizationId,
      snapshot: build,
      position,
      expires: this.now() + cursorMs,
    })
  }

  /** After which report the page of a list begins. */
  reportBefore(
    cursor: string | undefined,
    query: string,
    call: ReportCall,
  ): { createdAt: number; id: string } | undefined {
    if (cursor === undefined) return undefined
    const organization = call.caller.organizationId
    const { snapshot, position } = this.codec.decode(cursor, { query, organization, now: this.now() })
    return { createdAt: position, id: snapshot }
  }

  /** Leads to the page of a list that begins after a report. */
  cursorAfter(report: StoredReport, query: string, call: ReportCall): string {
    return this.cursor(query, report.id, Date.parse(report.shown.createdAt), call)
  }
}

/** How many rows a page has. */
export function pageSize(asked: number | undefined, organization: number | undefined): number {
  const most = Math.min(organization ?? rowsPageMost, rowsPageMost)
  const size = asked ?? Math.min(rowsPageDefault, most)
  if (size > most)
    throw new Failure(
      'invalid_request',
      `pagination.pageSize: your organisation's pages hold at most ${most} rows.`,
      {
        problems: [{ path: 'pagination.pageSize', message: `at most ${most}` }],
      },
    )
  return size
}
