import { amqp, kafka, mongodb, mysql, nats, postgres, redis } from 'upkeep/health'
import { deny, histogram, renameTag } from 'upkeep/metrics'
import { collection, controller, createResources, document, store } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'

/** What no type lets through, as a program in JavaScript may pass it. */
const wrong = (value: unknown): never => value as never

describe.each<readonly [string, (client: never) => unknown]>([
  ['postgres', postgres],
  ['mysql', mysql],
  ['redis', redis],
  ['mongodb', mongodb],
  ['amqp', amqp],
  ['nats', nats],
  ['kafka', kafka],
])('the indicator %s', (name, indicator) => {
  it.each([undefined, null, {}, 'postgres://localhost', 5])('refuses %j as its client', (client) => {
    expect(() => indicator(wrong(client))).toThrow(TypeError)
    expect(() => indicator(wrong(client))).toThrow(new RegExp(`^${name}: expected .+, received `))
  })
})

describe('a meter filter', () => {
  it.each([5, null, {}])('rejects %j as the selection of meters', (which) => {
    const message = 'a meter filter: expected the start of a name or a function, received'
    expect(() => deny(wrong(which))).toThrow(message)
    expect(() => renameTag(wrong(which), 'a', 'b')).toThrow(message)
  })

  it('histogram refuses an option that does not exist', () => {
    expect(() => histogram('orders', wrong({ buckets: [1, 2] }))).toThrow(
      new TypeError('histogram: unknown option "buckets"; did you mean "slo"?'),
    )
  })
})

describe('resources', () => {
  const orders = collection('orders/{order}', { read: () => ({}) })

  it.each([
    [undefined, 'expected an object of options, received undefined'],
    [{ resource: [] }, 'unknown option "resource"; did you mean "resources"?'],
    [{}, 'resources: expected an array of resources, received undefined'],
    [{ resources: orders }, 'resources: expected an array of resources, received an object'],
    [{ resources: [orders, undefined] }, 'resources[1]: expected a resource such as collection(…), received undefined'],
  ])('are refused as %j', (options, message) => {
    expect(() => createResources(wrong(options))).toThrow(TypeError)
    expect(() => createResources(wrong(options))).toThrow(`createResources: ${message}`)
  })

  it.each<readonly [string, (path: string, options: never) => unknown, unknown, string]>([
    ['collection', collection, { patch: () => {} }, 'unknown option "patch"'],
    ['collection', collection, { create: 5 }, 'create: expected a function, received a number'],
    ['store', store, { read: () => {}, create: () => {} }, 'unknown option "create"'],
    ['document', document, { read: () => {}, put: () => {} }, 'unknown option "put"'],
    ['document', document, undefined, 'expected an object of options, received undefined'],
    ['controller', controller, { run: () => {}, method: 'PUT' }, 'unknown option "method"'],
  ])('refuse of %s what it does not have', (name, make, options, message) => {
    expect(() => make('orders/{order}', wrong(options))).toThrow(`${name}("orders/{order}"): ${message}`)
  })
})
