import { useMemo } from 'preact/hooks'
import type { RequestFacts, RequestsDocument, RouteFacts, RunningRequestFacts } from '../../documents.ts'
import { formatAgo, formatExactTime, formatNumber, formatRate, formatSeconds, formatShare } from '../format.ts'
import { formatHash, formatQuery } from '../hash-route.ts'
import { linkTo, navigate, useDocument, useRoute } from '../hooks.ts'
import { withMember } from '../members.tsx'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Badge, Card, Problem, toneOfHttp } from '../widgets.tsx'
import { RequestDetail } from './request-detail.tsx'

/** The routes with their figures, and the latest requests; with `id` one request. */
export function Requests() {
  const { params } = useRoute()
  const id = params.get('id')?.[0]
  return id === undefined ? <RouteList /> : <RequestDetail id={id} />
}

function RouteList() {
  const { params } = useRoute()
  const param = (name: string) => params.get(name)?.[0] ?? ''
  const [route, method, text] = [param('route'), param('method'), param('q')]
  const loaded = useDocument<RequestsDocument>(`requests?${formatQuery({ route, method, limit: '200' })}`, 2)
  const { data } = loaded
  const searched = useMemo(() => (data?.routes ?? []).map((row) => ({ row, name: nameOf(row) })), [data])
  const routes = useMemo(() => filterRoutes(searched, text), [searched, text])
  const setParams = (changes: Readonly<Record<string, string>>, mode?: 'replace') => {
    const member = params.get('member') ?? []
    navigate(formatHash('requests', { member, route, method, q: text, ...changes }), mode)
  }
  const columns = useMemo(() => routeColumns(data?.windowSeconds ?? 60), [data?.windowSeconds])
  // Not rendered again with each letter of the filter.
  const recent = useMemo(
    () => (
      <Card title={route === '' ? 'Recent requests' : 'Recent requests of this route'} wide>
        <Table
          label="Recent requests"
          rows={data?.recent ?? []}
          columns={withMember(requestColumns(data?.now ?? 0), data?.recent ?? [])}
          keyOf={({ id }) => id}
          height={14}
          empty="No request was recorded."
        />
      </Card>
    ),
    [data, route === ''],
  )
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>Filter routes</span>
          <input
            type="search"
            value={text}
            onInput={(event) => setParams({ q: event.currentTarget.value }, 'replace')}
          />
        </label>
        {route === '' ? null : (
          <p>
            Only <code>{shownText(`${method} ${route}`.trim(), 300)}</code>{' '}
            <button type="button" onClick={() => setParams({ route: '', method: '' })}>
              Show all
            </button>
          </p>
        )}
      </div>
      <Problem of={loaded} />
      {data === undefined ? null : (
        <>
          <Card title={`Routes in the last ${formatSeconds(data.windowSeconds)}`} wide>
            <Table
              label="Routes"
              rows={routes}
              columns={columns}
              keyOf={(row) => `${row.method} ${row.route}`}
              sortedBy={{ column: 'rate', isAscending: false }}
              isSelected={(row) => row.route === route && row.method === method}
              height={14}
              empty={text === '' ? 'No request was observed yet.' : 'No route matches.'}
            />
            <p class="quiet">
              {formatNumber(routes.length)} of {formatNumber(data.routes.length)} routes
              {data.omittedRequests > 0 ? `; ${formatNumber(data.omittedRequests)} requests were to others` : ''}
            </p>
          </Card>
          <Card title="In progress" wide>
            <Table
              label="Requests in progress"
              rows={data.running}
              columns={withMember(runningColumns(data.now), data.running)}
              keyOf={({ at, path }) => `${at} ${path}`}
              height={7}
              empty="No request is in progress."
            />
            {data.omittedRunning > 0 ? (
              <p class="quiet">The oldest; {formatNumber(data.omittedRunning)} more are in progress</p>
            ) : null}
          </Card>
          {recent}
        </>
      )}
    </>
  )
}

interface SearchedRoute {
  readonly row: RouteFacts
  readonly name: string
}

function nameOf({ method, route }: RouteFacts): string {
  return `${method} ${route}`.toLowerCase()
}

/** Returns the routes whose method or template has each word of a filter. */
function filterRoutes(routes: readonly SearchedRoute[], text: string): readonly RouteFacts[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return routes.filter(({ name }) => words.every((word) => name.includes(word))).map(({ row }) => row)
}

function routeColumns(windowSeconds: number): readonly Column<RouteFacts>[] {
  const duration = (name: 'p50' | 'p95' | 'p99' | 'maximum', title: string): Column<RouteFacts> => ({
    name,
    title,
    isNumber: true,
    sort: (row) => row[name],
    cell: (row) => formatSeconds(row[name]),
  })
  return [
    { name: 'method', title: 'Method', sort: ({ method }) => method, cell: ({ method }) => shownText(method, 20) },
    {
      name: 'route',
      title: 'Route',
      isWide: true,
      sort: ({ route }) => route,
      cell: ({ route, method }) => <a href={linkTo('requests', { route, method })}>{shownText(route, 300)}</a>,
    },
    { name: 'rate', title: 'Rate', isNumber: true, sort: ({ rate }) => rate, cell: ({ rate }) => formatRate(rate) },
    {
      name: 'errors',
      title: 'Errors',
      isNumber: true,
      sort: ({ errors }) => errors,
      cell: ({ errors, requests }) =>
        errors === 0 ? '0' : <Badge tone="bad">{`${formatNumber(errors)} (${formatShare(errors / requests)})`}</Badge>,
    },
    duration('p50', 'p50'),
    duration('p95', 'p95'),
    duration('p99', 'p99'),
    duration('maximum', 'max'),
    {
      name: 'requests',
      title: `in ${formatSeconds(windowSeconds)}`,
      isNumber: true,
      sort: ({ requests }) => requests,
      cell: ({ requests }) => formatNumber(requests),
    },
    {
      name: 'total',
      title: 'Total',
      isNumber: true,
      sort: ({ total }) => total,
      cell: ({ total }) => formatNumber(total),
    },
  ]
}

function runningColumns(now: number): readonly Column<RunningRequestFacts>[] {
  return [
    {
      name: 'at',
      title: 'Running for',
      isNumber: true,
      cell: ({ at }) => <span title={formatExactTime(at)}>{formatSeconds(Math.max(0, now - at) / 1_000)}</span>,
    },
    { name: 'method', title: 'Method', cell: ({ method }) => shownText(method, 20) },
    {
      name: 'route',
      title: 'Route',
      cell: ({ route, method }) =>
        route === undefined ? '' : <a href={linkTo('requests', { route, method })}>{shownText(route, 300)}</a>,
    },
    { name: 'path', title: 'Path', isWide: true, cell: ({ path }) => shownText(path, 300) },
    {
      name: 'logs',
      title: 'Logs',
      cell: ({ traceId }) => (traceId === undefined ? '' : <a href={linkTo('logs', { trace: traceId })}>Logs</a>),
    },
  ]
}

function requestColumns(now: number): readonly Column<RequestFacts>[] {
  return [
    {
      name: 'at',
      title: 'Time',
      cell: ({ at, id }) => (
        <a href={linkTo('requests', { id })} title={formatAgo(at, now)}>
          {formatExactTime(at)}
        </a>
      ),
    },
    {
      name: 'status',
      title: 'Status',
      cell: ({ status, isAborted }) => (
        <Badge tone={toneOfHttp(status)}>{isAborted ? `${status || 'cut'} aborted` : status || 'cut off'}</Badge>
      ),
    },
    { name: 'method', title: 'Method', cell: ({ method }) => shownText(method, 20) },
    { name: 'path', title: 'Path', isWide: true, cell: ({ path }) => shownText(path, 300) },
    { name: 'seconds', title: 'Duration', isNumber: true, cell: ({ seconds }) => formatSeconds(seconds) },
    { name: 'error', title: 'Error', cell: ({ error }) => (error === undefined ? '' : shownText(error, 100)) },
    { name: 'kept', title: 'Kept', cell: ({ kept }) => (kept === undefined ? '' : `as ${kept}`) },
  ]
}
