import { Ajv2020 } from 'ajv/dist/2020.js'
import { basicAuth, bearerToken, createManagement } from 'upkeep'
import { collection, controller, createResources, representation, store } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createResourcesClient } from '../support/resources-client.ts'

const order = z.object({ id: z.string(), customer: z.object({ name: z.string(), required: z.boolean() }) })
const one = { id: 'a1', customer: { name: 'Alice', required: true } }

const management = createManagement({
  expose: ['health', 'metrics', 'loggers'],
  access: { metrics: 'authorized' },
  authorize: basicAuth({ username: 'operator', password: 'let-me-in' }),
  loggers: { levels: ['INFO'], names: () => ['ROOT'], level: () => ({ effectiveLevel: 'INFO' }), configure: () => {} },
})
const options = {
  resources: [
    collection('orders/{order}', {
      representation: representation('order', order),
      list: () => ({ items: [one] }),
      read: () => one,
      remove: () => true,
      access: { write: 'authorized' },
    }),
    store('settings/{name}', { read: () => ({}), put: () => undefined }),
    controller('orders/{order}/ship', { run: () => undefined }),
  ],
  authorize: bearerToken('s3cret'),
  description: { title: 'Orders', version: '1', management },
} as const
const resources = createResources(options)

interface DescribedOperation {
  readonly summary: string
  readonly security?: unknown
  readonly parameters: readonly {
    readonly name: string
    readonly schema: { readonly pattern?: string; readonly items?: { readonly pattern: string } }
  }[]
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>
}

const document = resources.describe() as unknown as {
  readonly servers: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly securitySchemes: unknown }
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ path, method, operation })),
)

describe('an OpenAPI description', () => {
  it('has a summary for every operation', () => {
    for (const { operation } of operations) expect(operation.summary).toMatch(/^[A-Z].*\.$/)
    const summaries = operations.map(({ path, method, operation }) => [`${method} ${path}`, operation.summary])
    expect(Object.fromEntries(summaries)).toMatchObject({
      'get /orders': 'Lists orders.',
      'get /orders/{order}': 'Returns the order.',
      'delete /orders/{order}': 'Removes the order.',
      'put /settings/{name}': 'Stores the name.',
      'post /orders/{order}/ship': 'Runs ship of order.',
    })
  })

  it('has the credentials of each operation of the resources and of the management', () => {
    const needed = operations.flatMap(({ path, method, operation }) =>
      operation.security === undefined ? [] : [[`${method} ${path}`, operation.security]],
    )
    const ofManagement = [{ 'basic-credentials': [] }]
    expect(Object.fromEntries(needed)).toEqual({
      'delete /orders/{order}': [{ credentials: [] }],
      'get /management/metrics': ofManagement,
      'get /management/metrics/{requiredMetricName}': ofManagement,
      'post /management/loggers/{name}': ofManagement,
    })
    expect(document.components.securitySchemes).toEqual({
      credentials: { type: 'http', scheme: 'bearer' },
      'basic-credentials': { type: 'http', scheme: 'basic' },
    })
  })

  it('has the mount path as its server, unless servers are given', async () => {
    const send = createResourcesClient(resources)
    const serversOf = async (base: string) => JSON.parse((await send('/openapi', { base })).body).servers
    expect(document.servers).toEqual([{ url: '/' }])
    expect(await serversOf('https://orders.example')).toEqual([{ url: '/' }])
    expect(await serversOf('https://orders.example/ops')).toEqual([{ url: '/ops' }])
    const servers = ['https://api.example.com']
    const elsewhere = createResources({ ...options, description: { ...options.description, servers } })
    const { body } = await createResourcesClient(elsewhere)('/openapi', { base: 'https://orders.example/ops' })
    expect(JSON.parse(body).servers).toEqual([{ url: 'https://api.example.com' }])
  })

  it.each([
    ['/orders/a1', '/orders/{order}', 'application/vnd.order'],
    ['/orders', '/orders', 'application/vnd.order'],
  ])('matches the responses to %s, with fields and without', async (target, path) => {
    const content = document.paths[path]?.['get']?.responses['200']?.content ?? {}
    expect(Object.keys(content)).not.toEqual([])
    const ajv = new Ajv2020({ strict: false, schemas: [{ ...document, $id: 'doc' }] })
    for (const [mediaType] of Object.entries(content)) {
      const pointer = ['paths', path, 'get', 'responses', '200', 'content', mediaType, 'schema']
      const token = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
      const validate = ajv.compile({ $ref: `doc#/${pointer.map(token).join('/')}` })
      for (const query of ['', '?fields=id', '?fields=customer(name)', '?fields=nothing']) {
        const { body } = await createResourcesClient(resources)(target + query, { headers: { accept: mediaType } })
        expect([query, validate(JSON.parse(body)), validate.errors]).toEqual([query, true, null])
      }
      expect(validate(path.endsWith('}') ? { id: 7 } : [{ id: 7 }])).toBe(false)
    }
  })

  it('has patterns for parameters with a grammar', () => {
    const patternOf = (path: string, name: string) => {
      const parameter = document.paths[path]?.['get']?.parameters.find((each) => each.name === name)
      return new RegExp(parameter?.schema.pattern ?? parameter?.schema.items?.pattern ?? 'none')
    }
    const fields = patternOf('/orders', 'fields')
    expect(['id', 'id,customer(name)', 'a(b(c),d),e', '0'].filter((text) => !fields.test(text))).toEqual([])
    expect(['', ',', '(a)', 'a,', 'a()'].filter((text) => fields.test(text))).toEqual([])
    const tag = patternOf('/management/metrics/{requiredMetricName}', 'tag')
    expect([tag.test('uri:/orders'), tag.test('uri')]).toEqual([true, false])
  })
})
