import type { DescribedContent, DescribedOperation, DescribedParameter } from './openapi/operation.ts'
import type { JsonSchema } from './schemas/json-schema.ts'

/** An endpoint of a management: its path and methods. */
export interface ManagementRoute {
  /** Absolute path, such as `/management/health`; a wildcard for several segments is `{*path}`. */
  readonly path: string
  /** Name of its link in the index at the base path. */
  readonly link: string
  readonly methods: readonly string[]
  /** Methods that require credentials. */
  readonly authorized: readonly string[]
  /** Authentication scheme of these methods. @default that of the resources */
  readonly scheme?: string | undefined
}

interface Known {
  readonly summary: string
  readonly content: readonly DescribedContent[]
  readonly query?: readonly DescribedParameter[]
  readonly request?: readonly DescribedContent[]
  /** Whether it responds with 503 when unhealthy. */
  readonly isHealth?: boolean
}

const text: JsonSchema = { type: 'string' }
const status: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', examples: ['UP', 'DOWN'] },
    components: { type: 'object', additionalProperties: { type: 'object' } },
    details: { type: 'object' },
    groups: { type: 'array', items: text },
  },
  required: ['status'],
}
const names: JsonSchema = { type: 'object', properties: { names: { type: 'array', items: text } }, required: ['names'] }
const detail: JsonSchema = {
  type: 'object',
  properties: {
    name: text,
    description: text,
    baseUnit: text,
    measurements: {
      type: 'array',
      items: {
        type: 'object',
        properties: { statistic: text, value: { type: 'number' } },
        required: ['statistic', 'value'],
      },
    },
    availableTags: {
      type: 'array',
      items: { type: 'object', properties: { tag: text, values: { type: 'array', items: text } } },
    },
  },
  required: ['name', 'measurements', 'availableTags'],
}
const links: JsonSchema = { type: 'object', properties: { _links: { type: 'object' } }, required: ['_links'] }

const json = (schema: JsonSchema, name?: string): readonly DescribedContent[] => [
  { mediaType: 'application/json', schema, name },
]
const repeated = (name: string, description: string, items: JsonSchema = text): DescribedParameter => ({
  name,
  description,
  schema: { type: 'array', items },
})

const endpoints: Readonly<Record<string, Known>> = {
  self: { summary: 'Links to the endpoints.', content: json(links) },
  health: { summary: 'The health of the application.', content: json(status, 'health-report'), isHealth: true },
  'health-path': {
    summary: 'The health of a component or a group, such as the probes liveness and readiness.',
    content: json(status, 'health-report'),
    isHealth: true,
  },
  info: { summary: 'Information about the application.', content: json({ type: 'object' }) },
  metrics: { summary: 'The names of all meters.', content: json(names) },
  'metrics-requiredMetricName': {
    summary: 'The measurements of one meter.',
    content: json(detail, 'metric-detail'),
    query: [
      repeated('tag', 'Restricts the measurements to series with a tag, as key:value.', {
        type: 'string',
        pattern: '^[^:]*:',
      }),
    ],
  },
  prometheus: {
    summary: 'All meters in the Prometheus exposition formats.',
    content: ['text/plain; version=0.0.4', 'application/openmetrics-text; version=1.0.0'].map((mediaType) => ({
      mediaType,
      schema: text,
    })),
    query: [repeated('includedNames', 'Restricts the response to families by their exported names.')],
  },
}

/** Describes the operations of management endpoints; unknown endpoints are described without a schema. */
export function describeManagement(routes: readonly ManagementRoute[]): readonly DescribedOperation[] {
  return routes.flatMap(({ path, link, methods, authorized, scheme }) => {
    const known: Known = endpoints[link] ?? { summary: `The endpoint ${link}.`, content: json({}) }
    const { summary, content, query = [], isHealth = false } = known
    return methods.map((method): DescribedOperation => {
      const well = { status: 200, description: summary, content }
      const isRead = method === 'GET'
      return {
        path: path.replace('{*', '{'),
        method,
        summary,
        authorized: authorized.includes(method),
        scheme,
        query: isRead ? query : [],
        isConditional: false,
        request: isRead ? [] : json({}),
        answers: isRead
          ? [well, ...(isHealth ? [{ ...well, status: 503, description: 'The application is not healthy.' }] : [])]
          : [{ status: 204, description: 'The change was made.' }],
      }
    })
  })
}
