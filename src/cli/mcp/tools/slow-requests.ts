import { count, perSecond, time } from '../../top/formats.ts'
import { type JsonObject, numberOf, objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import type { Answer } from '../answer.ts'
import { describe, int, maximum, maxLength, minimum, optional, string } from '../sdk.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { instant, tableOf } from './shown-values.ts'

export const slowRequests: Tool = serviceTool({
  name: 'slow_requests',
  title: 'Slow requests',
  description:
    'Shows the routes of a service with their rates, errors and percentiles in the last two minutes, the slowest ' +
    'recent requests with the ids that the tool trace takes, and the oldest requests in progress.',
  fields: {
    route: optional(string().check(maxLength(300), describe('Only requests of this route, such as /orders/:id.'))),
    limit: optional(int().check(minimum(1), maximum(100), describe('How many requests; 20 by default.'))),
  },
  async run(connection, { route, limit = 20 }) {
    const shown = await connection.read('console/requests', {
      query: [
        ['route', route],
        ['limit', 1_000],
      ],
    })
    return shown === undefined ? readExchanges(connection, route, limit) : requestsOf(shown, route, limit)
  },
})

function requestsOf(shown: JsonObject, route: string | undefined, limit: number): Answer {
  const routes = objectsIn(shown['routes']).filter((each) => route === undefined || each['route'] === route)
  const bySlowness = routes.toSorted((one, other) => (numberOf(other['p99']) ?? 0) - (numberOf(one['p99']) ?? 0))
  const recent = objectsIn(shown['recent']).toSorted((one, other) => secondsOf(other) - secondsOf(one))
  const now = numberOf(shown['now']) ?? 0
  const running = objectsIn(shown['running']).map((each) => {
    const age = (now - (numberOf(each['at']) ?? now)) / 1_000
    return [time(age), textOf(each['traceId']) ?? '-', `${textOf(each['method'])} ${placeOf(each)}`]
  })
  const [worst] = bySlowness
  const first =
    worst === undefined
      ? 'No requests.'
      : `Slowest route: ${textOf(worst['method'])} ${textOf(worst['route'])}, p99 ${time(numberOf(worst['p99']))}` +
        `, usually ${time(numberOf(worst['usualP99']))}; ${count(numberOf(worst['errors']))} errors.`
  return {
    summary: [first, `${routes.length} routes, ${recent.length} recent requests, ${running.length} in progress.`],
    details: [
      ...tableOf([
        ['RATE', 'REQUESTS', 'ERRORS', 'P50', 'P95', 'P99', 'USUAL P99', 'ROUTE'],
        ...bySlowness.slice(0, 15).map(routeRow),
      ]),
      'The slowest recent requests:',
      ...tableOf([['ID', 'TIME', 'STATUS', 'SECONDS', 'TRACE', 'REQUEST'], ...recent.slice(0, limit).map(requestRow)]),
      ...(running.length === 0
        ? []
        : ['In progress, the oldest first:', ...tableOf([['FOR', 'TRACE', 'REQUEST'], ...running])]),
    ],
    narrowBy: 'route or limit',
  }
}

function routeRow(route: JsonObject): readonly string[] {
  const durations = ['p50', 'p95', 'p99', 'usualP99'].map((name) => time(numberOf(route[name])))
  const counts = [count(numberOf(route['requests'])), count(numberOf(route['errors']))]
  return [
    perSecond(numberOf(route['rate'])),
    ...counts,
    ...durations,
    `${textOf(route['method'])} ${textOf(route['route'])}`,
  ]
}

function requestRow(request: JsonObject): readonly string[] {
  const { id, at, status, traceId, method, error } = request
  const failure = textOf(error) === undefined ? '' : ` ${textOf(error)}`
  const facts = [textOf(id) ?? '-', instant(at), String(numberOf(status)), secondsOf(request).toFixed(3)]
  return [...facts, textOf(traceId) ?? '-', `${textOf(method)} ${placeOf(request)}${failure}`]
}

function placeOf({ route, path }: JsonObject): string {
  return textOf(route) ?? textOf(path) ?? '-'
}

function secondsOf({ seconds }: JsonObject): number {
  return numberOf(seconds) ?? 0
}

/** What Spring Boot has of requests, without routes. */
async function readExchanges(connection: Connection, route: string | undefined, limit: number): Promise<Answer> {
  const shown = required(await connection.read('httpexchanges'), connection, 'console or httpexchanges')
  const rows = objectsIn(shown['exchanges'])
    .map((exchange) => ({ exchange, seconds: parseTimeTaken(textOf(exchange['timeTaken'])) }))
    .filter(({ exchange }) => route === undefined || (pathOf(exchange) ?? '').includes(route))
    .sort((one, other) => other.seconds - one.seconds)
    .map(({ exchange, seconds }) => {
      const facts = [textOf(exchange['timestamp']) ?? '-', String(numberOf(objectOf(exchange['response'])['status']))]
      const method = textOf(objectOf(exchange['request'])['method'])
      return [...facts, seconds.toFixed(3), textOf(exchange['traceId']) ?? '-', `${method} ${pathOf(exchange)}`]
    })
  return {
    summary: [`The slowest of ${rows.length} recent requests:`],
    details: tableOf([['TIME', 'STATUS', 'SECONDS', 'TRACE', 'REQUEST'], ...rows.slice(0, limit)]),
    narrowBy: 'route or limit',
  }
}

/** Returns the path of a request without its query, which may be secret. */
function pathOf({ request, template }: JsonObject): string | undefined {
  const uri = textOf(objectOf(request)['uri'])
  return textOf(template) ?? (uri !== undefined && URL.canParse(uri) ? new URL(uri).pathname : uri?.split('?')[0])
}

/** Returns the seconds of a duration such as `PT1M2.5S`. */
function parseTimeTaken(text = ''): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(text) ?? []
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
}
