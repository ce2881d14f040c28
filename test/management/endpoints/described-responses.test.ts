import { createServer } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { manage, observe } from 'upkeep/node'
import { createResources } from 'upkeep/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorization,
  createEveryEndpoint,
  type EndpointRequest,
  type EveryEndpoint,
  endpointRequests,
  essenceOf,
} from '../../support/every-endpoint.ts'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
  readonly headers?: object
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Described> }>>>>
}

/** Requires that an object has no other members than those that its schema describes. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const all = Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, closed(each)]))
  return 'properties' in all && !('additionalProperties' in all) ? { ...all, additionalProperties: false } : all
}

/** Returns all members of a value, with their paths. */
function membersOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  const own = [[path, value]] as const
  if (typeof value !== 'object' || value === null) return own
  return [...own, ...Object.entries(value).flatMap(([name, each]) => membersOf(each, `${path}/${name}`))]
}

const server = createServer()
let every: EveryEndpoint
let document: Document
let send: ReturnType<typeof createRawClient>
beforeAll(async () => {
  every = createEveryEndpoint()
  const { management } = every
  const description = { title: 'Orders', version: '1.4.2', management }
  document = createResources({ resources: [], description }).describe() as unknown as Document
  const [observed, managed] = [observe(management, { route: () => '/orders/:id' }), manage(management)]
  server.on('request', (req, res) => managed(req, res, () => observed(req, res, () => res.end('an order'))))
  send = createRawClient(await listenOn(server))
  expect((await send({ target: '/orders/1' })).body).toBe('an order')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  every.close()
})

/** Returns the template of a path, such as `/management/caches/{cache}` for `caches/cities`. */
function templateOf(path: string): string {
  const target = `/management/${path.split('?')[0]}`
  const templates = Object.keys(document.paths).filter((template) =>
    new RegExp(`^${template.replace('{path}', '.+').replace(/\{\w+\}/, '[^/]+')}$`).test(target),
  )
  return templates.find((template) => template === target) ?? templates[0] ?? `no template of ${target}`
}

function describedResponse({ method, path, status }: EndpointRequest): Described | undefined {
  const operation = document.paths[templateOf(path)]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  return operation?.responses[status] ?? operation?.responses['default']
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Compiles a schema with the document, to which its references are. */
function compile(schema: object): ValidateFunction {
  return ajv.compile(closed({ ...document, ...schema }) as object)
}

/** Of the request to the application. */
const observed: EndpointRequest = {
  ...{ method: 'GET', path: 'console/requests/1', status: 200, mediaType: 'application/json', shows: 'request' },
}
const requests = [...Object.values(endpointRequests).flat(), observed].map(
  (request) => [`${request.method} ${request.path}`, request] as const,
)

describe('the description of an endpoint', () => {
  it.each(requests)('has the response to %s', async (_line, request) => {
    const { method, path, body } = request
    const headers = { authorization, ...request.headers }
    const response = await send({ method, target: `/management/${path}`, headers, ...(body !== undefined && { body }) })
    expect(response.status).toBe(request.status)
    if (response.status === 200) expect(response.headers['cache-control']).toMatch(/^(?:no-cache|no-store|max-age=\d+)/)
    const described = describedResponse(request)
    expect(described).toBeDefined()
    const mediaType = essenceOf(response.headers['content-type'])
    const content = Object.entries(described?.content ?? {})
    const [, { schema } = {}] = content.find(([type]) => essenceOf(type) === mediaType) ?? []
    if (mediaType === undefined) return expect(content).toEqual([])
    expect([content.map(([type]) => essenceOf(type)), schema]).toEqual([
      expect.arrayContaining([mediaType]),
      expect.any(Object),
    ])
    if (response.body === '') return
    const validate = compile(schema ?? {})
    validate(/json$/.test(mediaType) ? JSON.parse(response.body) : response.body)
    expect(validate.errors).toBeNull()
    expect([7, [], null].filter((value) => validate(value))).toEqual([])
  })

  it('has a text wherever there is one, and says what the value of each member is', () => {
    const empty = membersOf(document, '#').filter(
      ([path, value]) => value === '' || (/\/properties\/[^/]+$/.test(path) && isDeepStrictEqual(value, {})),
    )
    expect(empty).toEqual([])
  })

  it('has an operation for each request, and there is a request for each operation', () => {
    const requested = requests.map(
      ([, { method, path }]) => `${method === 'HEAD' ? 'GET' : method} ${templateOf(path)}`,
    )
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect([...new Set(requested)].sort()).toEqual(described.filter((line) => !/management$/.test(line)).sort())
  })
})
