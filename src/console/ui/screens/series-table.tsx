import { useState } from 'preact/hooks'
import type { SeriesFacts } from '../../documents.ts'
import { formatNumber, formatSeconds } from '../format.ts'
import { keyOfSeries } from '../meter-samples.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'

/** Series with their values, which of them are charted, and their queries for Prometheus. */
export function SeriesTable(props: {
  readonly series: readonly SeriesFacts[]
  readonly unit: string | undefined
  readonly statistics: readonly string[]
  readonly charted: readonly string[]
  readonly onToggle: (key: string) => void
}) {
  const { series, unit, statistics, charted, onToggle } = props
  const [copied, setCopied] = useState('')
  const keys = [...new Set(series.flatMap(({ tags }) => Object.keys(tags)))].slice(0, 30)
  const copy = async ({ promql }: SeriesFacts) => {
    const isCopied = await copyText(promql)
    setCopied(isCopied ? `Copied: ${promql}` : `Copy it from here: ${promql}`)
  }
  const columns: readonly Column<SeriesFacts>[] = [
    {
      name: 'charted',
      title: 'Chart',
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={`Chart ${shownText(JSON.stringify(row.tags), 200)}`}
          checked={charted.includes(keyOfSeries(row))}
          onChange={() => onToggle(keyOfSeries(row))}
        />
      ),
    },
    ...keys.map((key) => ({
      name: `tag ${key}`,
      title: shownText(key, 60),
      sort: ({ tags }: SeriesFacts) => tags[key] ?? null,
      cell: ({ tags }: SeriesFacts) => shownText(tags[key] ?? '', 200),
    })),
    ...statistics.map((statistic) => ({
      name: statistic,
      title: shownText(statistic, 40),
      isNumber: true,
      sort: ({ values }: SeriesFacts) => values[statistic] ?? null,
      cell: ({ values }: SeriesFacts) =>
        unit === 'seconds' && !/COUNT|TASKS/.test(statistic)
          ? formatSeconds(values[statistic])
          : formatNumber(values[statistic]),
    })),
    {
      name: 'promql',
      title: 'Query',
      cell: (row) => (
        <button type="button" class="plain" title={shownText(row.promql, 500)} onClick={() => copy(row)}>
          Copy PromQL
        </button>
      ),
    },
  ]
  return (
    <>
      <Table label="Series" rows={series} columns={columns} keyOf={keyOfSeries} height={16} />
      <p role="status" class="quiet">
        {shownText(copied)}
      </p>
    </>
  )
}

/** Returns whether it was copied: the clipboard exists only with HTTPS and on the own machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
