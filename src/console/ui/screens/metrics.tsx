import { useMemo } from 'preact/hooks'
import type { MeterFacts, MetersDocument } from '../../documents.ts'
import { formatNumber } from '../format.ts'
import { formatHash } from '../hash-route.ts'
import { linkTo, navigate, useDocument, useRoute } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Card, Problem } from '../widgets.tsx'
import { MeterDetail } from './meter-detail.tsx'

/** All meters; with `name` the series of one. */
export function Metrics() {
  const { params } = useRoute()
  const name = params.get('name')?.[0]
  if (name !== undefined) return <MeterDetail key={name} name={name} tags={params.get('tag') ?? []} />
  return <MeterList text={params.get('q')?.[0] ?? ''} member={params.get('member') ?? []} />
}

const columns: readonly Column<MeterFacts>[] = [
  {
    name: 'name',
    title: 'Meter',
    sort: ({ name }) => name,
    cell: ({ name }) => <a href={linkTo('metrics', { name })}>{shownText(name, 300)}</a>,
  },
  { name: 'kind', title: 'Kind', sort: ({ kind }) => kind, cell: ({ kind }) => shownText(kind, 40) },
  { name: 'unit', title: 'Unit', cell: ({ unit }) => shownText(unit ?? '', 40) },
  {
    name: 'series',
    title: 'Series',
    isNumber: true,
    sort: ({ series }) => series,
    cell: ({ series }) => formatNumber(series),
  },
  {
    name: 'description',
    title: 'Description',
    isWide: true,
    cell: ({ description }) => shownText(description ?? '', 300),
  },
]

function MeterList(props: { readonly text: string; readonly member: readonly string[] }) {
  const { text, member } = props
  const loaded = useDocument<MetersDocument>('meters', 10)
  const meters = useMemo(() => filterMeters(loaded.data?.meters ?? [], text), [loaded.data, text])
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>Search meters</span>
          <input
            type="search"
            value={text}
            onInput={(event) => navigate(formatHash('metrics', { member, q: event.currentTarget.value }), 'replace')}
          />
        </label>
        <span class="quiet" role="status">
          {loaded.data === undefined ? '' : `${formatNumber(meters.length)} of ${countOf(loaded.data)}`}
        </span>
      </div>
      <Problem of={loaded} />
      {loaded.data === undefined ? null : (
        <Card title="Meters" wide>
          <Table
            label="Meters"
            rows={meters}
            columns={columns}
            keyOf={({ name, kind }) => `${kind} ${name}`}
            sortedBy={{ column: 'name', isAscending: true }}
            height={24}
            empty="No meter matches."
          />
        </Card>
      )}
    </>
  )
}

function countOf({ meters, omittedMeters }: MetersDocument): string {
  const count = formatNumber(meters.length)
  return omittedMeters === 0 ? count : `${count}; ${formatNumber(omittedMeters)} more are not listed`
}

function filterMeters(meters: readonly MeterFacts[], text: string): readonly MeterFacts[] {
  const words = text.toLowerCase().split(' ').filter(Boolean)
  if (words.length === 0) return meters
  return meters.filter(({ name, description = '' }) => {
    const searched = `${name} ${description}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}
