import type { HistoryDocument, OverviewDocument, VitalName } from '../../documents.ts'
import { Chart } from '../chart.tsx'
import { formatBytes, formatNumber, formatRate, formatSeconds, formatShare } from '../format.ts'
import { linkTo, navigate, useDocument, useRoute } from '../hooks.ts'
import { columnOf, noSamples, type Samples } from '../samples.ts'
import { Card, Problem } from '../widgets.tsx'

const ranges = [
  { id: '', title: '15 min' },
  { id: 'day', title: '24 h' },
] as const

/** The samples of a quarter of an hour as they come, or those of a day, which are read once a minute. */
export function OverviewCharts(props: { readonly samples: Samples; readonly overview: OverviewDocument }) {
  const isDay = useRoute().params.get('range')?.[0] === 'day'
  const loaded = useDocument<HistoryDocument>(isDay ? 'history?resolution=minute' : undefined, 60)
  const samples = isDay ? (loaded.data ?? noSamples) : props.samples
  return (
    <>
      <fieldset class="wide filters" aria-label="Time range">
        {ranges.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-pressed={isDay === (id === 'day')}
            onClick={() => navigate(linkTo('overview', { range: id }))}
          >
            {title}
          </button>
        ))}
        {isDay ? <span class="quiet">one sample per minute</span> : null}
      </fieldset>
      {isDay ? <Problem of={loaded} /> : null}
      <Charts samples={samples} overview={props.overview} />
    </>
  )
}

function Charts(props: { readonly samples: Samples; readonly overview: OverviewDocument }) {
  const { samples, overview } = props
  const lines = (names: Partial<Record<VitalName, string>>) =>
    Object.entries(names).map(([name, title]) => ({ name: title, values: columnOf(samples, name as VitalName) }))
  const { times } = samples
  const memory = { name: 'container', value: overview.limits.memory }
  // A limit far above would flatten the lines.
  const isNear = (Math.max(...columnOf(samples, 'rss').map(Number)) || 0) > memory.value / 8
  return (
    <>
      <ChartCard title="Requests" link={linkTo('requests')}>
        <Chart
          title="Requests"
          times={times}
          lines={lines({ requestRate: 'all', errorRate: 'errors' })}
          format={formatRate}
        />
      </ChartCard>
      <ChartCard title="Response time" link={linkTo('requests')}>
        <Chart
          title="Duration"
          times={times}
          lines={lines({ p50: 'p50', p95: 'p95', p99: 'p99' })}
          format={formatSeconds}
        />
      </ChartCard>
      <ChartCard title="Event loop" link={linkTo('diagnostics')}>
        <Chart title="Delay" times={times} lines={lines({ loopDelay: 'longest' })} format={formatSeconds} />
      </ChartCard>
      <ChartCard title="Load" link={linkTo('diagnostics')}>
        <Chart
          title="Share"
          times={times}
          lines={lines({ loopUtilization: 'event loop', gc: 'GC' })}
          format={formatShare}
          atLeast={1}
        />
      </ChartCard>
      <ChartCard title="CPU" link={linkTo('diagnostics')}>
        <Chart title="Cores" times={times} lines={lines({ cpu: 'used' })} format={formatNumber} atLeast={1} />
      </ChartCard>
      <ChartCard title="Memory" link={linkTo('diagnostics')}>
        <Chart
          title="Memory"
          times={times}
          lines={lines({ rss: 'process', heapTotal: 'heap', heapUsed: 'used', external: 'external' })}
          format={formatBytes}
          limit={isNear ? memory : undefined}
        />
      </ChartCard>
    </>
  )
}

function ChartCard(props: {
  readonly title: string
  readonly link: string
  readonly children: preact.ComponentChildren
}) {
  const more = <a href={props.link}>Details</a>
  return (
    <Card title={props.title} actions={more}>
      {props.children}
    </Card>
  )
}
