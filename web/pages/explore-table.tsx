import { CopyButton } from '../parts/copy.tsx'
import { countText, moneyText, percentText } from '../parts/format.ts'
import { type Column, DataTable } from '../parts/table.tsx'
import type { Group } from '../pivot.ts'

const statistics = [
  ['percentile_10', 'p10'],
  ['percentile_25', 'p25'],
  ['percentile_50', 'Median'],
  ['percentile_75', 'p75'],
  ['percentile_90', 'p90'],
  ['avg_rate', 'Mean'],
  ['min_rate', 'Least'],
  ['max_rate', 'Most'],
] as const
const counted = [
  ['num_distinct_npis', 'NPIs'],
  ['num_distinct_tins', 'TINs'],
  ['num_entries', 'Entries'],
] as const

/** The numbers behind the picture, to sort, copy and take along. */
export function ExploreTable({ groups, asPercent }: { groups: readonly Group[]; asPercent: boolean }) {
  const text = asPercent ? percentText : moneyText
  const names = (['payer', 'state', 'code', 'month'] as const).filter((name) =>
    groups.some((group) => group[name] !== undefined),
  )
  const columns: Column<Group>[] = [
    ...names.map((name) => ({
      key: name,
      title: { payer: 'Payer', state: 'State', code: 'Code', month: 'Month' }[name],
      cell: (group: Group) => group[name] ?? '',
      sort: (group: Group) => group[name] ?? '',
    })),
    ...statistics.map(([key, title]) => ({
      key,
      title,
      number: true,
      cell: ({ values }: Group) =>
        values[key] === undefined ? '–' : <span title={String(values[key])}>{text(values[key])}</span>,
      sort: ({ values }: Group) => values[key] ?? null,
    })),
    ...counted.map(([key, title]) => ({
      key,
      title,
      number: true,
      cell: ({ values }: Group) => countText(values[key] ?? 0),
      sort: ({ values }: Group) => values[key] ?? 0,
    })),
    ...(asPercent
      ? [
          {
            key: 'compared',
            title: 'Compared',
            number: true,
            cell: ({ compared }: Group) => countText(compared ?? 0),
            sort: ({ compared }: Group) => compared ?? 0,
          },
        ]
      : []),
  ]
  const lines = [
    [
      ...names,
      ...statistics.map(([key]) => key),
      ...counted.map(([key]) => key),
      ...(asPercent ? ['num_compared'] : []),
    ],
    ...groups.map((group) => [
      ...names.map((name) => group[name] ?? ''),
      ...[...statistics, ...counted].map(([key]) => String(group.values[key] ?? '')),
      ...(asPercent ? [String(group.compared ?? '')] : []),
    ]),
  ]
  return (
    <section className="stack" aria-label="Numbers">
      <DataTable caption="Statistics by group" columns={columns} rows={groups} rowKey={({ key }) => key} />
      <div className="row">
        <CopyButton label="Copy the table" text={lines.map((line) => line.join('\t')).join('\n')} />
        <a
          className="button"
          download="ratebook.csv"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(lines.map((line) => line.map(csvCell).join(',')).join('\r\n'))}`}
        >
          Download CSV
        </a>
      </div>
    </section>
  )
}

// A cell that begins like a formula would run as one in a spreadsheet.
function csvCell(text: string): string {
  const safe =
    /^[=+@\t\r]/.test(text) || (text.startsWith('-') && Number.isNaN(Number(text))) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
