import { type JsonSchema, jsonSchemaOf, type ToJsonSchema } from '../schemas/json-schema.ts'
import { type ComponentSchemas, createComponentSchemas } from './component-schemas.ts'
import type { DescribedContent, DescribedOperation, DescribedParameter, DescribedResponse } from './operation.ts'

/** Metadata of the service. */
export interface ServiceDescription {
  readonly title: string
  readonly version: string
  readonly description?: string | undefined
  /** Base URLs such as `https://api.example.com`. @default host and mount path of the document */
  readonly servers?: readonly string[] | undefined
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Readonly<Record<string, unknown>>

/** Returns an OpenAPI document; paths of operations are absolute. */
export function openApiDocument(
  operations: readonly DescribedOperation[],
  { title, version, description, servers = ['/'] }: ServiceDescription,
  {
    scheme = 'bearer',
    toJsonSchema,
  }: { readonly scheme?: string | undefined; readonly toJsonSchema?: ToJsonSchema | undefined } = {},
): OpenApiDocument {
  const schemas = createComponentSchemas(toJsonSchema)
  const credentialsOf = ({ scheme: own = scheme }: DescribedOperation) =>
    own === scheme ? 'credentials' : `${own}-credentials`
  const guarded = operations.filter(({ authorized }) => authorized)
  const paths = new Map<string, Record<string, unknown>>()
  for (const operation of operations) {
    const item = paths.get(operation.path) ?? { ...pathParameters(operation.path) }
    const security = operation.authorized ? { security: [{ [credentialsOf(operation)]: [] }] } : {}
    item[operation.method.toLowerCase()] = { ...describe(operation, schemas, toJsonSchema), ...security }
    paths.set(operation.path, item)
  }
  return {
    openapi: '3.1.1',
    info: { title, version, ...(description !== undefined && { description }) },
    servers: servers.map((url) => ({ url })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...schemas.all(), 'error-document': errorSchema },
      ...(guarded.length > 0 && {
        securitySchemes: Object.fromEntries(
          guarded.map((each) => [credentialsOf(each), { type: 'http', scheme: each.scheme ?? scheme }]),
        ),
      }),
    },
  }
}

function pathParameters(path: string): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }
}

function describe(
  operation: DescribedOperation,
  schemas: ComponentSchemas,
  toJsonSchema: ToJsonSchema | undefined,
): object {
  const { path, method, summary, archetype, request } = operation
  const parameters = [
    ...operation.query.map((each) => ({ ...each, in: 'query' })),
    ...filterParameters(operation, toJsonSchema).map((each) => ({ ...each, in: 'query' })),
    ...(operation.isConditional ? conditions : []),
  ]
  const isSelectable = operation.query.some(({ name }) => name === 'fields')
  return {
    operationId: operationId(method, path),
    ...(summary !== undefined && { summary }),
    ...(archetype !== undefined && { tags: [archetype] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request.length > 0 && { requestBody: { required: true, content: contentOf(request, 'request', schemas) } }),
    responses: {
      ...Object.fromEntries(
        operation.responses.map((answer) => [String(answer.status), describeAnswer(answer, schemas, isSelectable)]),
      ),
      default: { description: 'An error.', content: errorContent },
    },
  }
}

function describeAnswer(
  { status, description, content = [], headers = {} }: DescribedResponse,
  schemas: ComponentSchemas,
  isSelectable: boolean,
): object {
  const fields = Object.entries(headers).map(([name, says]) => [
    name,
    { description: says, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(fields.length > 0 && { headers: Object.fromEntries(fields) }),
    ...(content.length > 0 && { content: contentOf(content, 'response', schemas, isSelectable) }),
    ...(content.length === 0 && status >= 400 && { content: errorContent }),
  }
}

function contentOf(
  content: readonly DescribedContent[],
  side: 'request' | 'response',
  schemas: ComponentSchemas,
  isSelectable = false,
): object {
  const schemaOf = isSelectable
    ? schemas.selectableSchemaFor
    : (each: DescribedContent) => schemas.schemaFor(each, side)
  return Object.fromEntries(content.map((each) => [each.mediaType, { schema: schemaOf(each) }]))
}

/** The properties of the schema of filters as query parameters. */
function filterParameters(
  { filters }: DescribedOperation,
  toJsonSchema: ToJsonSchema | undefined,
): readonly (DescribedParameter & { readonly required: boolean })[] {
  if (filters === undefined) return []
  const { properties = {}, required = [] } = jsonSchemaOf(filters, 'input', toJsonSchema) ?? {}
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => ({
    name,
    description: typeof schema['description'] === 'string' ? schema['description'] : 'Filters the list.',
    required: Array.isArray(required) && required.includes(name),
    schema,
  }))
}

/** Returns an identifier: `GET` of `/orders/{order}` is `getOrdersByOrder`. */
function operationId(method: string, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join('')
}

const conditions = ['If-Match', 'If-Unmodified-Since'].map((name) => ({
  name,
  in: 'header',
  description: 'The expected current version of the resource.',
  schema: { type: 'string' },
}))

const errorSchema = {
  type: 'object',
  description: 'The error (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    trace_id: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status'],
}

const errorContent = Object.fromEntries(
  ['application/problem+json', 'application/json'].map((mediaType) => [
    mediaType,
    { schema: { $ref: '#/components/schemas/error-document' } },
  ]),
)
