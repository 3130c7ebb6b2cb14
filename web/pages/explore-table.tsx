import { useMemo } from 'react'
import { Link } from 'react-router'
import { CopyButton } from '../parts/copy.tsx'
import { csvOf, DownloadButton } from '../parts/download.tsx'
import { countText, moneyText, percentText } from '../parts/format.ts'
import { type Column, DataTable } from '../parts/table.tsx'
import type { Group } from '../pivot.ts'
import type { LoadedPayer } from '../loaded-payers.ts'

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
const titles = { payer: 'Payer', state: 'State', code: 'Code', month: 'Month' } as const

/** The numbers behind the picture, to sort, copy and take along. */
export function ExploreTable({
  groups,
  asPercent,
  loaded,
  order,
  onOrder,
}: {
  groups: readonly Group[]
  asPercent: boolean
  loaded: readonly LoadedPayer[]
  order: string
  onOrder: (order: string) => void
}) {
  const names = (['payer', 'state', 'code', 'month'] as const).filter((name) =>
    groups.some((group) => group[name] !== undefined),
  )
  const columns = useMemo(() => columnsOf(names, asPercent, loaded), [names.join(), asPercent, loaded])
  const lines = [
    [...names, ...[...statistics, ...counted].map(([key]) => key), ...(asPercent ? ['num_compared'] : [])],
    ...groups.map((group) => [
      ...names.map((name) => group[name] ?? ''),
      ...[...statistics, ...counted].map(([key]) => String(group.values[key] ?? '')),
      ...(asPercent ? [String(group.compared ?? '')] : []),
    ]),
  ]
  return (
    <section className="stack" aria-label="Numbers">
      <DataTable
        caption={asPercent ? 'Statistics by group, in percent of Medicare' : 'Statistics by group'}
        columns={columns}
        rows={groups}
        rowKey={({ key }) => key}
        order={order}
        onOrder={onOrder}
      />
      <div className="row">
        <CopyButton label="Copy the table" text={lines.map((line) => line.join('\t')).join('\n')} />
        <DownloadButton name="ratebook.csv" text={csvOf(lines)} />
      </div>
    </section>
  )
}

function columnsOf(
  names: readonly (keyof typeof titles)[],
  asPercent: boolean,
  loaded: readonly LoadedPayer[],
): Column<Group>[] {
  const text = asPercent ? percentText : moneyText
  const sourceOf = ({ payer = '', month }: Group) => {
    const newest = month ?? loaded.find((one) => one.payer === payer)?.months[0]
    return `/data/${encodeURIComponent(payer)}/${newest}`
  }
  return [
    ...names.map((name) => ({
      key: name,
      title: titles[name],
      cell: (group: Group) =>
        name === 'payer' ? (
          <Link to={sourceOf(group)} title="See the files behind it">
            {group.payer}
          </Link>
        ) : (
          <span className="nowrap">{group[name]}</span>
        ),
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
}
