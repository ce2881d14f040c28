import { inTurns } from '../../base/timers.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call } from '../../http/resource.ts'
import { isAddressable } from '../../http/router.ts'
import type { Tag } from '../../metrics/snapshot.ts'
import { metricDetail } from '../../prometheus/metric-detail.ts'
import { memberParameter } from '../cluster/member-parameter.ts'
import type { SelectSource } from '../cluster/shown-metrics.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

/**
 * `metrics`: the names of all meters; `metrics/{name}`: the measurements of one meter, restricted to series by `tag`.
 * Both show all members of a cluster, or the one that `member` names.
 */
export function metricsEndpoint(select: SelectSource): Endpoint {
  const getNames = async ({ query }: Call) => {
    const { source } = await select(query)
    await source.refresh?.()
    // A name that cannot be a path segment is not listed.
    return json({ names: source.names().filter(isAddressable) }, 'no-cache')
  }

  const getDetail = async ({ variables: [name = ''], query }: Call) => {
    const { source } = await select(query)
    await source.refresh?.()
    const detail = await inTurns(metricDetail(name, source.snapshot(name), query.getAll('tag').map(parseTag)))
    return detail && json(detail, 'no-cache')
  }

  return {
    id: 'metrics',
    routes: [
      { path: 'metrics', resource: { access: 'public', get: getNames } },
      { path: 'metrics/{requiredMetricName}', resource: { access: 'public', get: getDetail } },
    ],
    describe,
  }
}

function describe(): EndpointDescription {
  const names = describeJson(objectSchema({ names: listSchema(stringSchema) }))
  const measurement = objectSchema({ statistic: stringSchema, value: { type: 'number' } })
  const tag = { type: 'object', properties: { tag: stringSchema, values: listSchema(stringSchema) } }
  const detail = {
    type: 'object',
    properties: {
      name: stringSchema,
      description: stringSchema,
      baseUnit: stringSchema,
      measurements: listSchema(measurement),
      availableTags: listSchema(tag),
    },
    required: ['name', 'measurements', 'availableTags'],
  }
  const [all, one] = ['The names of all meters.', 'The measurements of one meter.']
  return {
    metrics: {
      GET: { summary: all, query: [memberParameter], responses: [{ status: 200, description: all, content: names }] },
    },
    'metrics/{requiredMetricName}': {
      GET: {
        summary: one,
        query: [
          {
            name: 'tag',
            description: 'Restricts to series with a tag, as key:value.',
            schema: listSchema({ type: 'string', pattern: '^[^:]*:' }),
          },
          memberParameter,
        ],
        responses: [{ status: 200, description: one, content: describeJson(detail, 'metric-detail') }],
      },
    },
  }
}

/** Splits at the first colon: a value may contain colons. @throws HttpError 400. */
function parseTag(text: string): Tag {
  const colon = text.indexOf(':')
  if (colon < 0) {
    throw new HttpError(400, `The query parameter tag must have the form key:value, received ${JSON.stringify(text)}.`)
  }
  return { key: text.slice(0, colon), value: text.slice(colon + 1) }
}
