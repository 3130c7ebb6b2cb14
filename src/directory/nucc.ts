import {
  attachCurrent,
  buildId,
  createSources,
  insertSource,
  openDraft,
  publishDraft,
  removeDraft,
} from './build.ts'
import { headerOf, noteMissing, type ColumnWish } from './header.ts'
import { createFrom } from './hospitals.ts'
import {
  nothingTaken,
  noteUnknown,
  runLoad,
  type Load,
  type Loaded,
  type LoadOptions,
  type LoadReport,
} from './load.ts'
import type { BuildSource } from './pointer.ts'
import { taxonomyOf } from '../vocabulary/taxonomy.ts'
import { taxonomyColumns } from './tables.ts'
import { headOfText, recordsOf } from './text-file.ts'

const wishes = {
  code: { is: /^CODE$/, required: true },
  grouping: { is: /^(GROUPING|TYPE)$/ },
  classification: { is: /^CLASSIFICATION$/, required: true },
  specialization: { is: /^SPECIALIZATION$/ },
  name: { is: /^DISPLAY NAME$/ },
  section: { is: /^SECTION$/ },
} satisfies Record<string, ColumnWish>

/** Loads the NUCC taxonomy code set. Definitions and notes are not stored. */
export async function loadNucc(
  dataFolder: string,
  sources: readonly string[],
  options: LoadOptions = {},
): Promise<LoadReport> {
  return await runLoad(dataFolder, 'taxonomy', sources, options, build)
}

async function build(load: Load): Promise<Loaded> {
  const { folder, findings } = load
  const rows = new Map<string, Record<keyof typeof taxonomyColumns, string>>()
  const taken: BuildSource[] = []
  for await (const file of load.files()) {
    const head = await headOfText(file)
    const header = headerOf(head, wishes)
    if (header === undefined) {
      noteUnknown(findings, file, 'the NUCC taxonomy')
      continue
    }
    noteMissing(findings, file.name, header, ['grouping', 'specialization', 'name', 'section'])
    let row = 0
    const before = rows.size
    for await (const { line, cells } of recordsOf(file, head.delimiter, findings)) {
      if (row++ < header.firstRow) continue
      const cell = (name: keyof typeof wishes) => cells[header.at[name] ?? -1] ?? ''
      const code = cell('code')
      if (!/^[0-9A-Z]{9}X$/.test(code)) {
        findings.problem(file.name, `"${code}" is no taxonomy code`, { line, column: 'Code' })
        continue
      }
      if (taxonomyOf(code) === undefined)
        findings.note(file.name, 'codes that are newer than the list requests are checked against', {
          line,
          column: 'Code',
        })
      rows.set(code, {
        code,
        name: cell('name') || [cell('classification'), cell('specialization')].filter(Boolean).join(', '),
        grouping: cell('grouping'),
        classification: cell('classification'),
        specialization: cell('specialization'),
        section: cell('section'),
      })
    }
    taken.push({ name: file.name, kind: 'nucc-taxonomy', digest: file.digest, rows: rows.size - before })
  }
  if (rows.size === 0) throw nothingTaken(findings)
  const draft = await openDraft(folder, 'taxonomy')
  const { connection } = draft
  try {
    const before = await attachCurrent(folder, 'taxonomy', connection)
    if (before !== undefined) await connection.run('detach current')
    if (before?.build === buildId('taxonomy', taken)) {
      draft.close()
      await removeDraft(draft.path)
      return { entry: before, changed: false, sources: taken }
    }
    await createFrom(connection, draft.path, 'taxonomies', taxonomyColumns, [...rows.values()], 'code')
    await connection.run(createSources)
    for (const [index, source] of taken.entries()) await insertSource(connection, index + 1, source)
    const entry = await publishDraft(folder, 'taxonomy', draft, {
      origin: 'official',
      rows: rows.size,
      sources: taken,
    })
    return { entry, changed: true, sources: taken }
  } catch (error) {
    draft.close()
    await removeDraft(draft.path)
    throw error
  }
}
