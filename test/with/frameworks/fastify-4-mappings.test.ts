import type Fastify from 'fastify'
import createFastify4 from 'fastify4'
import { bearerToken, createManagement } from 'upkeep'
import { manage, observe } from 'upkeep/fastify'
import { expect, it, onTestFinished } from 'vitest'

interface Mappings {
  readonly contexts: {
    readonly orders: {
      readonly mappings: {
        readonly dispatcherServlets: {
          readonly fastify: readonly { readonly predicate: string; readonly handler: string }[]
        }
      }
    }
  }
}

it('mappings of Fastify 4 have one entry for a route of all methods with one handler', async () => {
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['mappings'],
    authorize: bearerToken('let-me-in'),
    metrics: { runtime: false },
  })
  const app = (createFastify4 as unknown as typeof Fastify)()
  onTestFinished(async () => {
    await app.close()
    management.close()
  })
  app.all('/early', async function early() {})
  await app.register(observe(management))
  app.all('/any', async function any() {})
  app.route({ method: ['GET', 'POST'], url: '/both', async handler() {} })
  await app.register(manage(management))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${url}/management/mappings`, { headers: { authorization: 'Bearer let-me-in' } })
  const { contexts } = (await response.json()) as Mappings
  const { fastify } = contexts.orders.mappings.dispatcherServlets
  expect(fastify.map(({ predicate, handler }) => `${predicate} ${handler}`).sort()).toEqual([
    '{GET [/both]} handler',
    '{POST [/both]} handler',
    '{[/any]} any',
    '{[/early]} anonymous',
  ])
})
