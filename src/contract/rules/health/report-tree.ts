import { type Answer, want } from '../../answer.ts'
import { isObject, type Json, type JsonObject, objectOf } from '../../json.ts'
import type { Asking, Service } from '../../service.ts'

/** Returns the health report at a path, for any status. */
export async function reportAt(
  service: Service,
  path = '/health',
  asking: Asking = {},
): Promise<{ readonly answer: Answer; readonly report: JsonObject }> {
  const answer = await service.ask(path, asking)
  want(answer, answer.status === 200 || answer.status === 503, 'status 200 or 503')
  return { answer, report: objectOf(answer) }
}

/** Yields all nested components of a report, each with its path. */
export function* componentsOf(
  report: JsonObject,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], JsonObject]> {
  const { components } = report
  if (!isObject(components)) return
  for (const [name, component] of Object.entries(components)) {
    if (!isObject(component)) continue
    yield [[...path, name], component]
    yield* componentsOf(component, [...path, name])
  }
}

export function addressOf(path: readonly string[]): string {
  return `/health/${path.map(encodeURIComponent).join('/')}`
}

/** Whether a report contains details at any depth. */
export function hasDetails(report: JsonObject): boolean {
  return isObject(report['details']) || [...componentsOf(report)].some(([, component]) => 'details' in component)
}

/** Returns the status of a report and of each component, without details: a check measures its latency each time. */
export function statusesOf(answer: Answer): string {
  const report = objectOf(answer)
  const parts = [...componentsOf(report)].map(([path, { status }]) => [path.join('/'), status] as const)
  return JSON.stringify({ status: report['status'], components: Object.fromEntries(parts) })
}

/** Statuses from worst to best. */
const order = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN']

/** Returns the worst of the direct components' statuses, if all are known. */
export function worstOf(components: JsonObject): string | undefined {
  const statuses = Object.values(components).map((component: Json) =>
    isObject(component) ? component['status'] : undefined,
  )
  return order.find((status) => statuses.includes(status))
}
