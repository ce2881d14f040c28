import type { DescribedContent, DescribedOperation, DescribedParameter } from './openapi/operation.ts'
import type { JsonSchema } from './schemas/json-schema.ts'

/** An endpoint as a management tells it: where it is, and which methods it answers. */
export interface ManagementRoute {
  /** From the root of the server on, such as `/management/health`; a rest of several segments is `{*path}`. */
  readonly path: string
  /** The name of its link on the page at the base path. */
  readonly link: string
  readonly methods: readonly string[]
  /** Which of the methods need credentials. */
  readonly authorized: readonly string[]
  /** The authentication scheme of those. @default that of the resources */
  readonly scheme?: string | undefined
}

interface Known {
  readonly summary: string
  readonly content: readonly DescribedContent[]
  readonly query?: readonly DescribedParameter[]
  readonly request?: readonly DescribedContent[]
  /** Whether it answers 503 for what is not well. */
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
  info: { summary: 'What the application tells of itself.', content: json({ type: 'object' }) },
  metrics: { summary: 'The names of all meters.', content: json(names) },
  'metrics-requiredMetricName': {
    summary: 'What the series of one meter measure.',
    content: json(detail, 'metric-detail'),
    query: [repeated('tag', 'Narrows to series with a tag, as key:value.', { type: 'string', pattern: '^[^:]*:' })],
  },
  prometheus: {
    summary: 'All meters as Prometheus reads them.',
    content: ['text/plain; version=0.0.4', 'application/openmetrics-text; version=1.0.0'].map((mediaType) => ({
      mediaType,
      schema: text,
    })),
    query: [repeated('includedNames', 'Narrows to families by their exported names.')],
  },
}

/** What can be done at the endpoints of a management; of an endpoint that is not known only that it is there. */
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
          ? [well, ...(isHealth ? [{ ...well, status: 503, description: 'It is not well.' }] : [])]
          : [{ status: 204, description: 'It was done.' }],
      }
    })
  })
}
