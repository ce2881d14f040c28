import { Validator } from '@seriousme/openapi-schema-validator'
import { createManagement } from 'upkeep'
import { collection, createResources, type OpenApiDocument, representation } from 'upkeep/rest'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { createOrdersService } from '../support/orders-service.ts'
import { createResourcesClient } from '../support/resources-client.ts'

const management = createManagement({ expose: ['health', 'info', 'metrics', 'prometheus'] })
afterAll(() => management.close())

const description = {
  title: 'Orders',
  version: '1.4.2',
  description: 'All of it.',
  servers: ['https://api.example.com'],
  management,
}
const { resources } = createOrdersService({ description })

const errorsOf = async (document: OpenApiDocument) => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  return valid ? [] : errors
}

interface Described {
  readonly openapi: string
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly responses: object
            readonly parameters?: readonly { readonly name: string }[]
          }
        >
      >
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

describe('the OpenAPI document of a service', () => {
  it('is valid OpenAPI 3.1 by an independent validator', async () => {
    expect(await errorsOf(resources.describe())).toEqual([])
    expect(resources.describe()['openapi']).toMatch(/^3\.1\./)
  })

  it('is served unchanged', async () => {
    const response = await createResourcesClient(resources)('/api/openapi')
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body)).toEqual(JSON.parse(JSON.stringify(resources.describe())))
  })

  it('contains exactly the methods of each address', async () => {
    const { paths } = resources.describe() as unknown as Described
    const send = createResourcesClient(resources)
    for (const [path, item] of Object.entries(paths).filter(([each]) => each.startsWith('/api/'))) {
      const { headers } = await send(path.replaceAll(/\{\w+\}/g, 'x'), { method: 'OPTIONS' })
      const allowed = (headers['allow'] ?? '').split(', ').filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      const described = Object.keys(item).filter((key) => key !== 'parameters')
      expect(described.map((method) => method.toUpperCase()).sort(), path).toEqual(allowed.sort())
    }
  })

  it('contains every exposed endpoint of the management', () => {
    const { paths } = resources.describe() as unknown as Described
    expect(Object.keys(paths).filter((path) => path.startsWith('/management'))).toEqual([
      '/management',
      '/management/health',
      '/management/health/{path}',
      '/management/info',
      '/management/metrics',
      '/management/metrics/{requiredMetricName}',
      '/management/prometheus',
    ])
    expect(Object.keys(paths['/management/health']?.['get']?.responses ?? {})).toEqual(['200', '503', 'default'])
  })

  it('has unique operation ids, and the filters of a list as parameters', () => {
    const { paths } = resources.describe() as unknown as Described
    const operations = Object.values(paths).flatMap((item) =>
      Object.entries(item).flatMap(([key, operation]) => (key === 'parameters' ? [] : [operation])),
    )
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const names = paths['/api/orders']?.['get']?.parameters?.map(({ name }) => name)
    expect(names).toEqual(['pageSize', 'pageStartIndex', 'fields', 'accept', 'embed', 'item', 'least'])
  })

  it('stores a recursive schema and references it', async () => {
    const node: z.ZodType<{ name: string }> = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional()
      },
    }) as never
    const trees = createResources({
      resources: [
        collection('trees/{tree}', { representation: representation('tree', node), list: () => ({ items: [] }) }),
      ],
    })
    expect(await errorsOf(trees.describe())).toEqual([])
    expect(JSON.stringify(trees.describe())).toContain('"#/components/schemas/tree-1"')
  })

  it('contains schemas of zod/mini by toJsonSchema', async () => {
    const schema = mini.object({ name: mini.string() })
    const options = {
      resources: [
        collection('trees/{tree}', { representation: representation('tree', schema), list: () => ({ items: [] }) }),
      ],
    }
    const trees = createResources({ ...options, toJsonSchema: z.toJSONSchema })
    expect(await errorsOf(trees.describe())).toEqual([])
    expect(JSON.stringify(trees.describe())).toContain('"name":{"type":"string"}')
    expect(() => createResources(options)).toThrow('npm install zod@^4.2, or pass toJsonSchema')
  })
})
