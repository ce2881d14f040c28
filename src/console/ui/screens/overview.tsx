import type { Finding, OverviewDocument, Vitals } from '../../documents.ts'
import { formatBytes, formatDate, formatNumber, formatRate, formatSeconds, formatShare, formatTime } from '../format.ts'
import { parseHash } from '../hash-route.ts'
import { linkTo, useLive } from '../hooks.ts'
import { refreshOverview } from '../live.ts'
import type { Samples } from '../samples.ts'
import { shownText } from '../shown-text.ts'
import { useRefresh } from '../use-refresh.ts'
import { Badge, Card, Empty, Stat, Status, type Tone } from '../widgets.tsx'
import { OverviewCharts } from './overview-charts.tsx'
import { Pools } from './pools.tsx'

/** How the service is: what is wrong now, and its figures over time. */
export function Overview() {
  const { overview, findings, samples } = useLive()
  useRefresh(refreshOverview, 10)
  if (overview === undefined) return <Empty>Loading…</Empty>
  const latest = latestOf(samples) ?? overview.vitals
  return (
    <div class="grid">
      <Findings findings={findings} />
      <Figures latest={latest} overview={overview} />
      <OverviewCharts samples={samples} overview={overview} />
      <HealthCard overview={overview} />
      <Card title="Pools">
        <Pools pools={overview.pools} />
      </Card>
      <ProcessCard overview={overview} />
    </div>
  )
}

/** A finding that is new is read aloud. */
function Findings(props: { readonly findings: readonly Finding[] }) {
  const { findings } = props
  return (
    <section class={findings.length === 0 ? 'card wide calm' : 'card wide alarm'} aria-label="What is wrong now">
      <h2 class="hidden">What is wrong now</h2>
      <div aria-live="polite">
        {findings.length === 0 ? (
          <p>
            <Badge tone="good">Nothing is wrong</Badge>
          </p>
        ) : (
          <ul class="findings">
            {findings.map((finding) => (
              <li key={`${finding.kind} ${finding.text}`}>
                <Badge tone={finding.severity === 'critical' ? 'bad' : 'warn'}>{finding.severity}</Badge>
                <a href={safeLink(finding.link)}>{shownText(finding.text)}</a>
                {finding.since === undefined ? null : <span class="quiet">since {formatTime(finding.since)}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

/** A link of a document leads to a screen of this page, and nowhere else. */
function safeLink(link: string): string {
  const { screen, params } = parseHash(link)
  return link.startsWith('#/') ? linkTo(screen, Object.fromEntries(params)) : linkTo('overview')
}

function Figures(props: { readonly latest: Vitals; readonly overview: OverviewDocument }) {
  const { latest, overview } = props
  const { limits } = overview
  const errorShare = latest.requestRate ? (latest.errorRate ?? 0) / latest.requestRate : 0
  const memoryShare = (latest.rss ?? 0) / limits.memory
  return (
    <section class="card wide" aria-label="Figures of the last second">
      <h2 class="hidden">Figures of the last second</h2>
      <dl class="stats">
        <Stat
          name="Requests"
          value={formatRate(latest.requestRate)}
          note={`${formatNumber(latest.active)} in progress`}
        />
        <Stat
          name="Errors"
          value={formatRate(latest.errorRate)}
          note={`${formatShare(errorShare)} of requests`}
          tone={errorShare > 0.05 ? 'bad' : errorShare > 0.01 ? 'warn' : undefined}
        />
        <Stat name="p50" value={formatSeconds(latest.p50)} />
        <Stat name="p95" value={formatSeconds(latest.p95)} />
        <Stat name="p99" value={formatSeconds(latest.p99)} />
        <Stat
          name="Event loop"
          value={formatSeconds(latest.loopDelay)}
          note={`${formatShare(latest.loopUtilization)} busy`}
          tone={above(latest.loopDelay, 0.1, 1)}
        />
        <Stat name="CPU" value={formatNumber(latest.cpu)} note={`of ${formatNumber(limits.cpu)} cores`} />
        <Stat
          name="Memory"
          value={formatBytes(latest.rss)}
          note={`${formatShare(memoryShare)} of ${formatBytes(limits.memory)}`}
          tone={above(memoryShare, 0.8, 0.92)}
        />
        <Stat name="Heap" value={formatBytes(latest.heapUsed)} note={`of ${formatBytes(limits.heap)}`} />
        <Stat name="GC" value={formatShare(latest.gc)} note="of the time" tone={above(latest.gc, 0.1, 0.3)} />
      </dl>
    </section>
  )
}

function HealthCard(props: { readonly overview: OverviewDocument }) {
  const { health } = props.overview
  const components = Object.entries(health.components).slice(0, 40)
  return (
    <Card title="Health" actions={<a href={linkTo('health')}>Details</a>}>
      <ul class="rows">
        <StatusRow name="Liveness" status={health.liveness} link={linkTo('health')} />
        <StatusRow name="Readiness" status={health.readiness} link={linkTo('health')} />
        {components.map(([path, status]) => (
          <StatusRow key={path} name={path} status={status} link={linkTo('health', { component: path })} />
        ))}
      </ul>
    </Card>
  )
}

function StatusRow(props: { readonly name: string; readonly status: string; readonly link: string }) {
  return (
    <li>
      <a href={props.link}>{shownText(props.name, 200)}</a>
      <Status status={props.status} />
    </li>
  )
}

function ProcessCard(props: { readonly overview: OverviewDocument }) {
  const { application, history, viewers, members } = props.overview
  const rows: readonly (readonly [string, string])[] = [
    ['Started', formatDate(application.startedAt)],
    ['Node', application.node],
    ['Process', `${application.pid} on ${application.host}`],
    ['Members', members.length === 0 ? 'a single process' : members.join(', ')],
    ['History', `${formatBytes(history.bytes)} of ${formatBytes(history.maximumBytes)}`],
    ['Dropped records', formatNumber(history.droppedRecords)],
    ['Viewers', `${viewers.current} of ${viewers.maximum}`],
  ]
  return (
    <Card title="Process">
      <dl class="pairs">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{shownText(value, 300)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function latestOf(samples: Samples): Vitals | undefined {
  const last = samples.times.length - 1
  if (last < 0) return undefined
  const entries = Object.entries(samples.values).map(([name, column]) => [name, column[last] ?? null])
  return Object.fromEntries([['at', samples.times[last]], ...entries]) as Vitals
}

function above(value: number | null, warn: number, bad: number): Tone | undefined {
  if (value === null) return undefined
  return value > bad ? 'bad' : value > warn ? 'warn' : undefined
}
