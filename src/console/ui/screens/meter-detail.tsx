import { useEffect, useMemo, useState } from 'preact/hooks'
import type { MeterDocument, SeriesFacts } from '../../documents.ts'
import { Chart } from '../chart.tsx'
import { formatNumber } from '../format.ts'
import { formatHash, formatQuery } from '../hash-route.ts'
import { linkTo, navigate, useDocument } from '../hooks.ts'
import { addMeterSample, formatOf, isGrowing, keyOfSeries, noMeterSamples } from '../meter-samples.ts'
import { shownText } from '../shown-text.ts'
import { Card, Empty, Problem } from '../widgets.tsx'
import { SeriesTable } from './series-table.tsx'

/** As many series as there are colours that can be distinguished. */
const maxCharted = 8

/** The series of one meter: filtered by tags, charted from when this was opened. */
export function MeterDetail(props: { readonly name: string; readonly tags: readonly string[] }) {
  const { name, tags } = props
  const path = `meters/${encodeURIComponent(name.toWellFormed())}?${formatQuery({ tag: tags })}`
  const loaded = useDocument<MeterDocument>(path, 2)
  const { data } = loaded
  const select = (tag: readonly string[]) => navigate(formatHash('metrics', { name, tag }))
  return (
    <>
      <p class="back">
        <a href={linkTo('metrics')}>All meters</a>
      </p>
      <h2 class="title">{shownText(name, 300)}</h2>
      <Problem of={loaded} />
      {data === undefined ? null : (
        <>
          <p class="quiet">
            {shownText(data.kind, 40)}
            {data.unit === undefined ? '' : ` in ${shownText(data.unit, 40)}`}
            {data.description === undefined ? '' : `: ${shownText(data.description, 500)}`}
          </p>
          <TagFilters document={data} tags={tags} onSelect={select} />
          {data.series.length === 0 ? <Empty>No series has these tags.</Empty> : <Charted key={path} document={data} />}
        </>
      )}
    </>
  )
}

function TagFilters(props: {
  readonly document: MeterDocument
  readonly tags: readonly string[]
  readonly onSelect: (tags: readonly string[]) => void
}) {
  const { document, tags, onSelect } = props
  return (
    <div class="filters">
      {Object.entries(document.tags).map(([key, values]) => {
        const prefix = `${key}:`
        const selected = tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? ''
        const others = tags.filter((tag) => !tag.startsWith(prefix))
        return (
          <label class="field" key={key}>
            <span>{shownText(key, 100)}</span>
            <select
              value={selected}
              onChange={({ currentTarget: { value } }) => onSelect(value === '' ? others : [...others, prefix + value])}
            >
              <option value="">any</option>
              {values.map((value) => (
                <option key={value} value={value}>
                  {shownText(value, 100)}
                </option>
              ))}
            </select>
          </label>
        )
      })}
    </div>
  )
}

function Charted(props: { readonly document: MeterDocument }) {
  const { document } = props
  const statistics = useMemo(
    () => [...new Set(document.series.flatMap(({ values }) => Object.keys(values)))],
    [document],
  )
  const [chosen, setStatistic] = useState<string>()
  const statistic = chosen ?? statistics[0] ?? 'VALUE'
  const [samples, setSamples] = useState(noMeterSamples)
  const [charted, setCharted] = useState<readonly string[]>(() => document.series.slice(0, 4).map(keyOfSeries))
  useEffect(() => setSamples((before) => addMeterSample(before, document, statistic)), [document, statistic])
  const format = formatOf(statistic, document.kind, document.unit)
  const lines = document.series
    .filter((series) => charted.includes(keyOfSeries(series)))
    .map((series) => ({
      name: nameOf(series),
      values: samples.values.get(keyOfSeries(series)) ?? samples.times.map(() => null),
    }))
  const toggle = (key: string) => {
    const others = charted.filter((each) => each !== key)
    setCharted(others.length < charted.length ? others : [...others, key].slice(-maxCharted))
  }
  const select = (value: string) => {
    setStatistic(value)
    setSamples(noMeterSamples)
  }
  return (
    <>
      <Card
        title="From when this page was opened"
        wide
        actions={
          <label class="field">
            <span>Statistic</span>
            <select value={statistic} onChange={(event) => select(event.currentTarget.value)}>
              {statistics.map((each) => (
                <option key={each} value={each}>
                  {shownText(each, 60)}
                  {isGrowing(each, document.kind) ? ' per second' : ''}
                </option>
              ))}
            </select>
          </label>
        }
      >
        {samples.times.length < 2 ? <Empty>There is one sample in two seconds.</Empty> : null}
        <Chart title={shownText(document.name, 200)} times={samples.times} lines={lines} format={format} height={240} />
      </Card>
      <Card title="Series" wide>
        <SeriesTable
          series={document.series}
          unit={document.unit}
          statistics={statistics}
          charted={charted}
          onToggle={toggle}
        />
        {document.omittedSeries > 0 ? (
          <p class="quiet">{formatNumber(document.omittedSeries)} series are not listed: select tags.</p>
        ) : null}
      </Card>
    </>
  )
}

function nameOf({ tags }: SeriesFacts): string {
  const text = Object.entries(tags)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
  return text === '' ? 'value' : shownText(text, 120)
}
