import { type JsonObject, numberOf, objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { instant, jsonOf } from './shown-values.ts'

export const health: Tool = serviceTool({
  name: 'health',
  title: 'Health',
  description: 'Shows the status of each component of a service with its details, and the changes of the last hour.',
  fields: {},
  run: (connection) => readHealth(connection, false),
})

export const runHealthCheck: Tool = serviceTool({
  name: 'run_health_check',
  title: 'Run the health checks',
  description: 'Runs all checks of a service now, also those whose results are cached, and shows their results.',
  changes: true,
  fields: {},
  run: (connection) => readHealth(connection, true),
})

async function readHealth(connection: Connection, checks: boolean) {
  const shown = await connection.read('console/health', { query: [['check', checks ? 'now' : undefined]] })
  if (shown === undefined) {
    const report = required(await connection.read('health'), connection, 'health')
    return { summary: [`Health is ${textOf(report['status'])}.`], details: healthLines(report) }
  }
  const root = objectOf(shown['root'])
  const changes = objectsIn(shown['changes'])
  const lines = nodeLines(root)
  const failing = lines.filter((line) => !/: (?:UP|UNKNOWN)\b/.test(line))
  return {
    summary: [
      `Health is ${textOf(root['status'])}; ${changes.length} changes in the last hour.`,
      ...(failing.length === 0 ? [] : ['Not UP:', ...failing]),
    ],
    details: ['Components:', ...lines, 'Changes, the latest first:', ...changes.map(changeLine)],
  }
}

/** Returns a line for each component of a report, as Spring Boot has it. */
export function healthLines(report: JsonObject, path = ''): readonly string[] {
  return Object.entries(objectOf(report['components'])).flatMap(([name, value]) => {
    const component = objectOf(value)
    const place = path === '' ? name : `${path}/${name}`
    const details = component['details'] === undefined ? '' : `; ${jsonOf(component['details'])}`
    return [`${place}: ${textOf(component['status'])}${details}`, ...healthLines(component, place)]
  })
}

function nodeLines(node: JsonObject): readonly string[] {
  const { path, status, since, details, components, check } = node
  const seconds = numberOf(objectOf(check)['seconds'])
  const parts = [
    `${textOf(path) ?? 'all'}: ${textOf(status)}`,
    ...(numberOf(since) === null ? [] : [`since ${instant(since)}`]),
    ...(seconds === null ? [] : [`checked in ${Math.round(seconds * 1_000)} ms`]),
    ...(details === undefined ? [] : [jsonOf(details)]),
  ]
  return [parts.join('; '), ...objectsIn(components).flatMap(nodeLines)]
}

function changeLine({ at, path, from, to, reason }: JsonObject): string {
  const cause = textOf(reason) === undefined ? '' : `: ${textOf(reason)}`
  return `${instant(at)} ${textOf(path) ?? 'all'} ${textOf(from)} -> ${textOf(to)}${cause}`
}
