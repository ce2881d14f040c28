import type { Colours } from '../output.ts'
import { ageOf, bytes, count, ofLimit, perSecond, share, time, timeOf } from './formats.ts'
import { clip, columnsOf, fitColumns, shownName } from './shown-name.ts'
import type { TopView } from './top-keys.ts'
import type { TopRoute, TopSample } from './top-sample.ts'

/** What is shown. */
export interface TopState {
  readonly sample: TopSample
  /** Why there is no newer sample. */
  readonly problem: string | undefined
  /** What has changed, such as the version. */
  readonly notice: string | undefined
  readonly view: TopView
}

/** A part of a line: its text, and its colour. */
type Part = readonly [text: string, colour?: keyof Colours | undefined]
type Line = readonly Part[]

const maxFindings = 3

/** Returns the lines of a screen: as many as it has rows, none longer than its columns. */
export function screenLines(state: TopState, rows: number, columns: number, colours: Colours): readonly string[] {
  const { isTyping, isPaused, filter, sort, member } = state.view
  const shown = shownName(filter)
  const keys = ['q quit', `s sort:${sort}`, `/ filter${shown && `:${shown}`}`, 'r routes', 'p pause']
  const members = state.sample.members.length > 0 ? [`m member:${shownName(member ?? 'all')}`] : []
  const foot: Line = isTyping
    ? [[`filter: ${shown}_`], ['Enter applies, Esc removes']]
    : [...(isPaused ? [['PAUSED', 'yellow'] as const] : []), ...[...keys, ...members].map((key): Part => [key])]
  const lines = sampleLines(state, rows - 1, columns, colours)
  const filler = Array<string>(Math.max(0, rows - 1 - lines.length)).fill('')
  return [...lines, ...filler, paintLine(foot, columns, colours)].slice(0, rows)
}

/** Returns the lines about a sample, at most `rows`, none longer than the columns. */
export function sampleLines(state: TopState, rows: number, columns: number, colours: Colours): readonly string[] {
  const { sample, problem, notice, view } = state
  const head: readonly Line[] = [
    [[titleOf(sample), 'bold']],
    ...vitalLines(sample),
    ...(problem === undefined ? [] : [[[`! ${shownName(problem)}`, 'red']] as const]),
    ...(notice === undefined ? [] : [[[`* ${shownName(notice)}`, 'yellow']] as const]),
    ...sample.findings.slice(0, maxFindings).map(({ severity, text }): Line => {
      return [[`! ${shownName(text)}`, severity === 'critical' ? 'red' : 'yellow']]
    }),
    [],
  ]
  const table = routeLines(sample, view, rows - head.length, columns)
  return [...head, ...table].slice(0, Math.max(0, rows)).map((line) => paintLine(line, columns, colours))
}

/** Returns a sample as one line without colours. */
export function plainLine(sample: TopSample): string {
  const texts = vitalLines(sample).flatMap((line) => line.map(([text]) => text))
  return [timeOf(sample.at), ...texts].join('  ')
}

function titleOf({ application, at }: TopSample): string {
  const { name, version, commit, node, pid, host, startedAt } = application
  const facts = [
    ...[name ?? 'service', version, commit && `(${commit.slice(0, 7)})`],
    ...[node && `node ${node}`, pid && `pid ${pid}`, host && `host ${host}`],
    startedAt && `up ${ageOf((at - startedAt) / 1_000)}`,
  ]
  return [timeOf(at), ...facts.filter(Boolean).map((fact) => shownName(String(fact)))].join('  ')
}

function vitalLines({ vitals, limits, health, source }: TopSample): readonly Line[] {
  const { status, liveness, readiness } = health
  // Those that are not up first, for what does not fit is cut off. The states are what the probes show.
  const components = Object.entries(health.components)
    .filter(([path]) => !['livenessState', 'readinessState'].includes(path))
    .sort(([, one], [, other]) => Number(one === 'UP') - Number(other === 'UP'))
  const statuses = [['Health', status], ['liveness', liveness], ['readiness', readiness], ...components] as const
  const errors: Part = [`errors ${perSecond(vitals.errorRate)}`, (vitals.errorRate ?? 0) > 0 ? 'red' : undefined]
  const latency =
    source === 'console'
      ? [`p50 ${time(vitals.p50)}`, `p95 ${time(vitals.p95)}`, `p99 ${time(vitals.p99)}`]
      : [`mean ${time(vitals.mean)}`, `max ${time(vitals.maximum)}`]
  const texts = (all: readonly string[]) => all.map((text): Part => [text])
  return [
    statuses.flatMap(([name, each]): Line => {
      const colour = each === 'UP' ? 'green' : each === 'UNKNOWN' ? 'yellow' : 'red'
      return each === undefined ? [] : [[`${shownName(name)} ${shownName(each)}`, colour]]
    }),
    [
      ...texts([`Requests ${perSecond(vitals.requestRate)}`]),
      errors,
      ...texts([`active ${count(vitals.active)}`, ...latency]),
    ],
    texts([
      ...[`Loop delay ${time(vitals.loopDelay)}`, `busy ${share(vitals.loopUtilization)}`, `GC ${share(vitals.gc)}`],
      `CPU ${count(vitals.cpu)} of ${count(limits.cpu)} cores`,
    ]),
    texts([
      `Memory ${bytes(vitals.rss)}${ofLimit(vitals.rss, limits.memory)}`,
      `heap ${bytes(vitals.heapUsed)}${ofLimit(vitals.heapUsed, limits.heap)}`,
      `external ${bytes(vitals.external)}`,
    ]),
  ]
}

function routeLines({ routes, source }: TopSample, view: TopView, rows: number, columns: number): readonly Line[] {
  if (routes === undefined) return [[['Press r to read the routes: each is a request to the service.']]]
  const durations = source === 'console' ? (['p50', 'p95', 'p99', 'maximum'] as const) : (['mean', 'maximum'] as const)
  const titles = ['RATE/s', 'REQUESTS', 'ERRORS', ...durations.map((name) => name.replace('imum', '').toUpperCase())]
  const row = (name: string, cells: readonly string[]) =>
    fitColumns(name, Math.max(10, columns - 9 * titles.length)) +
    cells.map((text) => ` ${fitColumns(text, 8, 'right')}`).join('')
  const rowOf = (route: TopRoute): Line => {
    const counts = [count(route.rate), count(route.requests), count(route.errors)]
    const text = row(nameOf(route), [...counts, ...durations.map((name) => time(route[name]))])
    return [[text, (route.errors ?? 0) > 0 ? 'yellow' : undefined]]
  }
  const shown = chooseRoutes(routes, view)
  const most = Math.max(0, shown.length > rows - 1 ? rows - 2 : rows - 1)
  const rest = shown.length > most ? [[[`${shown.length - most} more`]] as const] : []
  return [[[row('ROUTE', titles), 'bold']], ...shown.slice(0, most).map(rowOf), ...rest]
}

function nameOf({ method, route }: TopRoute): string {
  return shownName(method === '' ? route : `${method} ${route}`)
}

/**
 * Returns the routes that contain the filter, those with the greatest value first. Where percentiles are not known, the
 * maximum takes their place.
 */
export function chooseRoutes(routes: readonly TopRoute[], { filter, sort }: TopView): readonly TopRoute[] {
  const wanted = filter.toLowerCase()
  const keyOf = (route: TopRoute) => route[sort] ?? (sort.startsWith('p') ? route.maximum : null) ?? -1
  return routes
    .filter(({ method, route }) => `${method} ${route}`.toLowerCase().includes(wanted))
    .sort((one, other) => keyOf(other) - keyOf(one) || (nameOf(one) < nameOf(other) ? -1 : 1))
}

/** Joins the parts of a line, clips it to the columns, and colours the parts. */
function paintLine(line: Line, columns: number, colours: Colours): string {
  let left = columns
  return line
    .map(([text, colour], at) => {
      const clipped = clip(at === 0 ? text : `  ${text}`, left)
      left -= columnsOf(clipped)
      return colour === undefined || clipped === '' ? clipped : colours[colour](clipped)
    })
    .join('')
}
