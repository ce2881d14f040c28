import { type Answer, want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { isObject, isTexts, type Json, type JsonObject, objectOf } from '../../json.ts'
import type { Service } from '../../service.ts'

/** Returns the names of all metrics. */
export async function metricNames(service: Service): Promise<readonly string[]> {
  const answer = await service.ask('/metrics')
  wantStatus(answer, 200)
  const { names } = objectOf(answer)
  want(answer, isTexts(names), 'names that are an array of strings')
  return names
}

export interface Detail {
  readonly answer: Answer
  readonly detail: JsonObject
  /** By statistic. */
  readonly values: ReadonlyMap<string, number>
  readonly tags: ReadonlyMap<string, readonly string[]>
}

export async function metricDetail(service: Service, name: string, tags: readonly string[] = []): Promise<Detail> {
  const answer = await service.ask(metricPath(name, tags))
  wantStatus(answer, 200)
  const detail = objectOf(answer)
  return {
    answer,
    detail,
    values: new Map(objectsIn(detail['measurements']).map((one) => [String(one['statistic']), Number(one['value'])])),
    tags: new Map(
      objectsIn(detail['availableTags']).map((one) => [
        String(one['tag']),
        isTexts(one['values']) ? one['values'] : [],
      ]),
    ),
  }
}

export function metricPath(name: string, tags: readonly string[] = []): string {
  const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&')
  return `/metrics/${encodeURIComponent(name)}${query === '' ? '' : `?${query}`}`
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Limits the duration of a run. */
const mostDetails = 60

/** Yields the details of the first metrics, at most 60. */
export async function* allDetails(service: Service): AsyncGenerator<Detail & { readonly name: string }> {
  for (const name of (await metricNames(service)).slice(0, mostDetails))
    yield { name, ...(await metricDetail(service, name)) }
}

/** Returns a metric that has a tag. */
export async function taggedMetric(
  service: Service,
): Promise<{ readonly name: string; readonly tag: string; readonly values: readonly string[] }> {
  for await (const { name, tags } of allDetails(service)) {
    for (const [tag, values] of tags) if (values.length > 0) return { name, tag, values }
  }
  return skip('no metric has a tag')
}

/** Returns a metric, `process.uptime` if there is one. */
export async function anyMetric(service: Service): Promise<string> {
  const names = await metricNames(service)
  return names.find((name) => name === 'process.uptime') ?? names[0] ?? skip('there are no metrics')
}
