import type { Clock } from '../../base/clock.ts'
import { readJsonBody } from '../../http/conventions/request-body.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call, Resource } from '../../http/resource.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import type { TracingControl, TracingRules } from '../../tracing/tracing-control.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, jsonBodyTypes, objectSchema } from './json-representation.ts'
import { readTracingChange, type TracingChange } from './tracing-change.ts'

/**
 * `tracing`: which traces and requests are exported. An authorized caller changes it for a time by POST of
 * `{"probability":1,"keepFailedRequests":{"slowerThan":"500ms"},"for":"15m"}`; what is absent is as configured.
 */
export function tracingEndpoint(clock: Clock): Endpoint {
  const resource: Resource = {
    access: 'authorized',
    get: () => json(describeState(currentTracing()?.control), 'no-cache'),
    post: async ({ request }: Call) => {
      const change = readTracingChange(await readJsonBody(request, { mediaTypes: jsonBodyTypes }))
      const control = currentTracing()?.control
      if (control === undefined) throw new HttpError(409, 'The process is not traced.')
      if (change.keeping !== undefined && control.held === undefined) {
        throw new HttpError(409, 'Failed requests can be kept only while startTelemetry of upkeep exports traces.')
      }
      apply(change, control, clock)
      return undefined
    },
  }
  return { id: 'tracing', routes: [{ path: 'tracing', resource }], describe: () => description }
}

function describeState(control: TracingControl | undefined): object {
  if (control === undefined) return { enabled: false }
  const { current, configured, revertsAt } = control
  return {
    enabled: true,
    ...describeRules(current),
    configured: describeRules(configured),
    ...(revertsAt !== undefined && { revertsAt: new Date(revertsAt).toISOString() }),
  }
}

function describeRules({ probability, keeping }: TracingRules): object {
  return {
    probability: probability ?? null,
    keepFailedRequests: keeping === undefined ? false : { slowerThan: keeping.slowerThan },
  }
}

function apply({ probability, keeping, milliseconds }: TracingChange, control: TracingControl, clock: Clock): void {
  if (probability === undefined && keeping === undefined) {
    control.revert()
    return
  }
  const { configured } = control
  const rules = {
    probability: probability ?? configured.probability,
    keeping: keeping === undefined ? configured.keeping : keeping || undefined,
  }
  control.change(rules, milliseconds, clock)
}

const probability = { type: 'number', minimum: 0, maximum: 1 }
const duration = { type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m|h|d)$' }
const slow = { type: 'object', properties: { slowerThan: duration } }
const rules = {
  probability: { ...probability, type: ['number', 'null'] },
  keepFailedRequests: { anyOf: [{ const: false }, { ...slow, required: ['slowerThan'] }] },
}
const state = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    ...rules,
    configured: objectSchema(rules),
    revertsAt: { type: 'string', format: 'date-time' },
  },
  required: ['enabled'],
}
const change = {
  type: 'object',
  properties: {
    probability,
    keepFailedRequests: { anyOf: [{ type: 'boolean' }, { ...slow, additionalProperties: false }] },
    for: duration,
  },
  additionalProperties: false,
}

const [shownRules, changedRules] = [
  'Which traces and requests are exported.',
  'Changes for a time which traces and requests are exported.',
]

const description: EndpointDescription = {
  tracing: {
    GET: {
      summary: shownRules,
      responses: [{ status: 200, description: shownRules, content: describeJson(state, 'tracing') }],
    },
    POST: {
      summary: changedRules,
      request: jsonBodyTypes.map((mediaType) => ({ mediaType, schema: change })),
      responses: [{ status: 204, description: 'The change applies.' }],
    },
  },
}
