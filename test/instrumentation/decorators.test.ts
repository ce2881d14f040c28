import { defaultResource } from '@opentelemetry/resources'
import { createManagement } from 'upkeep'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createNativeTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'
import { collectEndedSpans } from '../support/ended-spans.ts'
import { decoratedOrders } from './decorated-orders.ts'

const { ended, processor } = collectEndedSpans()
const management = createManagement({ metrics: { runtime: false } })
const { timed } = management.observation
const Orders = decoratedOrders(management.observation)
class RushOrders extends Orders {}

let uninstall: () => void
beforeAll(() => {
  uninstall = installTracing(createNativeTracing({ recorder: { processor, resource: defaultResource() } }))
})
afterAll(() => {
  uninstall()
  management.close()
})
afterEach(() => {
  ended.length = 0
})

/** The series of a meter that have a method, as their tags and how often they were used. */
function seriesOf(name: string, method: string): readonly string[] {
  return [...management.meters.snapshot(name)].flatMap((one) => {
    const tags = Object.fromEntries(one.id.tags.map(({ key, value }) => [key, value]))
    if (tags['method'] !== method) return []
    const { class: owner, result, exception } = tags
    const count = one.kind === 'counter' ? one.value : one.kind === 'timer' ? one.count : Number.NaN
    return [[owner, result, exception, count].filter((part) => part !== undefined).join(' ')]
  })
}

describe('a decorated method', () => {
  it('keeps its behaviour, and is timed and counted by its class', () => {
    expect(new Orders().place(2)).toBe(6)
    expect(new RushOrders().place(3)).toBe(9)
    expect(() => new Orders().place(-1)).toThrow(new RangeError('less than nothing'))
    expect(seriesOf('method.timed', 'place').toSorted()).toEqual([
      'Orders RangeError 1',
      'Orders none 1',
      'RushOrders none 1',
    ])
    expect(seriesOf('method.counted', 'place').toSorted()).toEqual([
      'Orders failure RangeError 1',
      'Orders success none 1',
      'RushOrders success none 1',
    ])
    expect(ended.map(({ name, status }) => `${name} ${status.code}`)).toEqual([
      'Orders.place 0',
      'RushOrders.place 0',
      'Orders.place 2',
    ])
  })

  it('that is asynchronous is timed until it settles, as the parent of its calls', async () => {
    expect(await new Orders().load('17')).toBe('order 17')
    await expect(new Orders().load('')).rejects.toThrow('no id')
    expect(seriesOf('orders.loaded', 'load').toSorted()).toEqual(['Orders TypeError 1', 'Orders none 1'])
    expect(ended.map(({ name }) => name)).toEqual(['find', 'Orders.load', 'Orders.load'])
    expect(ended[0]?.parentSpanId).toBe(ended[1]?.spanId)
  })

  it('that is a generator is timed until it ends', async () => {
    const numbers = new Orders().all()
    expect(numbers.next().value).toBe(1)
    expect(seriesOf('method.counted', 'all')).toEqual([])
    expect([...numbers]).toEqual([2])
    expect(seriesOf('method.counted', 'all')).toEqual(['Orders success none 1'])
    const some = new Orders().some()
    await some.next()
    await expect(some.next()).rejects.toThrow('no more')
    expect(seriesOf('method.timed', 'some')).toEqual(['Orders RangeError 1'])
    expect(ended.map(({ name }) => name)).toEqual(['Orders.all', 'Orders.some'])
  })

  it('that is static has the name of its class', () => {
    expect(Orders.open()).toBeInstanceOf(Orders)
    expect(seriesOf('method.timed', 'open')).toEqual(['Orders none 1'])
  })

  it('is rejected with experimentalDecorators', () => {
    const decorate = timed() as unknown as (target: object, name: string) => void
    expect(() => decorate(Orders.prototype, 'place')).toThrow(
      /@timed\(\): expected a standard method decorator .*experimentalDecorators/,
    )
  })
})

describe('observation.span', () => {
  it('times and traces work under one name, with a tag for errors', async () => {
    const { observation, meters } = management
    expect(await observation.span('stock.check', async () => 4, { tags: { region: 'eu' }, kind: 'client' })).toBe(4)
    await expect(observation.span('stock.check', () => Promise.reject(new RangeError('x')))).rejects.toThrow('x')
    expect(meters.timer('stock.check', { region: 'eu' }).count).toBe(1)
    expect(meters.timer('stock.check', { error: 'RangeError' }).count).toBe(1)
    expect(ended).toMatchObject([
      { name: 'stock.check', kind: 2, status: { code: 0 } },
      { name: 'stock.check', kind: 0, status: { code: 2 } },
    ])
  })

  it('only times work of an untraced management', () => {
    const quiet = createManagement({ metrics: { runtime: false }, tracing: false })
    expect(quiet.observation.span('work', (span) => span)).toBeUndefined()
    expect(quiet.meters.timer('work').count).toBe(1)
    expect(ended).toEqual([])
    quiet.close()
  })
})
