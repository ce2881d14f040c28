import { nextTurn } from '../../base/timers.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call } from '../../http/resource.ts'
import { isAddressable } from '../../http/router.ts'
import type { SnapshotSource, Tag } from '../../metrics/snapshot.ts'
import { metricDetail } from '../../prometheus/metric-detail.ts'
import { metricNames } from '../../prometheus/metric-names.ts'
import type { Endpoint } from './endpoint.ts'
import { json } from './json.ts'

/** `metrics`: the names of all meters, and `metrics/{name}`: what the series of one name measure, narrowed by `tag`. */
export function metricsEndpoint(meters: SnapshotSource): Endpoint {
  const getNames = async () => {
    await meters.refresh?.()
    // A name that no path can address is not listed.
    const { names } = metricNames(meters)
    return json({ names: names.filter(isAddressable) }, 'no-cache')
  }

  const getDetail = async ({ variables: [name = ''], query }: Call) => {
    await meters.refresh?.()
    const detail = await inTurns(metricDetail(name, meters.snapshot(name), query.getAll('tag').map(parseTag)))
    return detail && json(detail, 'no-cache')
  }

  return {
    id: 'metrics',
    routes: [
      { path: 'metrics', link: 'metrics', resource: { get: getNames } },
      { path: 'metrics/{requiredMetricName}', link: 'metrics-requiredMetricName', resource: { get: getDetail } },
    ],
  }
}

/** Lets others have a turn of the event loop whenever the work yields. */
async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Splits at the first colon: a value may hold one, a key that is asked for here cannot. */
function parseTag(text: string): Tag {
  const colon = text.indexOf(':')
  if (colon < 0) {
    throw new HttpError(400, `Each query parameter tag must be in the form key:value, not ${JSON.stringify(text)}.`)
  }
  return { key: text.slice(0, colon), value: text.slice(colon + 1) }
}
