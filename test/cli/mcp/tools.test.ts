import { describe, expect, it } from 'vitest'
import { connectMcp, dataOf } from './connect-mcp.ts'
import { startOrders, token } from './orders-service.ts'

const connect = async () => {
  const orders = await startOrders()
  return { ...orders, ...(await connectMcp([`orders=${orders.url}`], { UPKEEP_TOKEN: token })) }
}

describe('a tool of upkeep mcp', () => {
  it.each<readonly [string, Record<string, unknown>, RegExp]>([
    ['list_services', {}, /^orders: UP; orders 1\.4\.2; endpoints .*console/],
    ['why', {}, /health is UP|Nothing/],
    ['health', { service: 'orders' }, /^Health is UP.*\n[\s\S]*db: UP.*PostgreSQL 17/],
    ['slow_requests', {}, /Slowest route: GET \/orders\/:id[\s\S]*RangeError|GET \/orders\/:id/],
    ['logs', { level: 'ERROR' }, /1 records, 1 of ERROR[\s\S]*order failed[\s\S]*RangeError: order 7 has no currency/],
    ['logs', { text: 'shown' }, /2 records, 2 of INFO/],
    ['metrics_query', {}, /\d+ of \d+ meters[\s\S]*process\.uptime/],
    ['metrics_query', { contains: 'UPTIME' }, /process\.uptime/],
    ['metrics_query', { name: 'http.server.requests', tags: ['status:500'], statistic: 'COUNT' }, /COUNT=1$/m],
    ['metrics_query', { name: 'rss' }, /^rss/],
    ['threads', {}, /threads, \d+ of them runnable[\s\S]*main: /],
    ['env', { contains: 'path' }, /PATH=\*{6}/],
    ['routes', {}, /GET \[\/orders\/:id\]/],
    ['tasks', {}, /4 tasks; 1 of them failed or are late[\s\S]*poll: fixedRate 2000; ERROR[\s\S]*no stock/],
  ])('has an answer between markers: %s %j', async (name, input, expected) => {
    const { call } = await connect()
    const { text, isError } = await call(name, input)
    expect({ text, isError }).toMatchObject({ isError: false })
    expect(dataOf(text)).toMatch(expected)
    expect(text).toMatch(/^[a-z_]+: data from (?:services|the service orders), between two markers/)
  })

  it('shows a request by its id with its log records', async () => {
    const { call } = await connect()
    const [, id] = /^(\d+) .* 500 /m.exec(dataOf((await call('slow_requests')).text)) ?? []
    const { text } = await call('trace', { id })
    expect(dataOf(text)).toMatch(/GET \/orders\/:id: 500 after/)
  })

  it('names a request that is gone, and a trace that no request has', async () => {
    const { call } = await connect()
    expect(await call('trace', { id: '999999' })).toEqual({
      isError: true,
      text: 'orders has no request 999999 any more: slow_requests lists those that it has.',
    })
    expect(dataOf((await call('trace', { id: 'a'.repeat(32) })).text)).toMatch(/No recent request has this trace/)
  })

  it('profiles the time and the growth of the heap as tables', async () => {
    const { call } = await connect()
    expect(dataOf((await call('profile', { seconds: 1 })).text)).toMatch(/^Busy for [\d.]+ s of all threads in 1 s/)
    expect(dataOf((await call('heap_growth', { seconds: 2 })).text)).toMatch(/The heap used [\d.]+M before/)
  })

  it('profiles a service once at a time', async () => {
    const { call } = await connect()
    const [one, other] = await Promise.all([call('profile', { seconds: 1 }), call('profile', { seconds: 1 })])
    expect([one.isError, other]).toEqual([
      false,
      { isError: true, text: 'orders is being profiled by another call: wait for its answer.' },
    ])
  })

  it('says what to do where the service runs without what it needs', async () => {
    const { call } = await connect()
    expect(await call('captures')).toEqual({
      isError: true,
      text: 'orders responded with 501: it runs without what this needs, such as the watchdog of captures.',
    })
  })
})

describe('a change by upkeep mcp', () => {
  it.each(['set_log_level', 'evict_cache', 'run_health_check'])(
    'is refused without --allow-changes: %s',
    async (name) => {
      const { call, client, audited } = await connect()
      await expect(call(name, { logger: 'ROOT', level: 'DEBUG', minutes: 5 })).rejects.toThrow(/--allow-changes/)
      expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain(name)
      expect(audited).toEqual([])
    },
  )

  it('is made with --allow-changes, and restored by the service', async () => {
    const orders = await startOrders()
    const { call } = await connectMcp([orders.url, '--allow-changes'], { UPKEEP_TOKEN: token })
    const changed = await call('set_log_level', { logger: 'ROOT', level: 'DEBUG', minutes: 5 })
    expect(dataOf(changed.text)).toMatch(/^ROOT has the level DEBUG until 20/)
    expect(orders.logger.loggers.level('ROOT')).toMatchObject({ effectiveLevel: 'DEBUG' })
    expect(dataOf((await call('evict_cache', { cache: 'cities' })).text)).toBe('The cache cities was cleared.\n')
    expect(dataOf((await call('run_health_check')).text)).toMatch(/^Health is UP/)
    expect(orders.audited.map(({ tool, method, path, outcome }) => [tool, method, path, outcome])).toEqual([
      ['set_log_level', 'POST', 'loggers/ROOT', 'success'],
      ['evict_cache', 'DELETE', 'caches/cities', 'success'],
    ])
  })

  it('names what is not there', async () => {
    const orders = await startOrders()
    const { call } = await connectMcp([orders.url, '--allow-changes'], { UPKEEP_TOKEN: token })
    const changed = await call('set_log_level', { logger: 'none', level: 'DEBUG', minutes: 5 })
    expect(changed).toMatchObject({ isError: true, text: expect.stringContaining('no logger of this name') })
    const cleared = await call('evict_cache', { cache: 'none' })
    expect(cleared).toMatchObject({ isError: true, text: expect.stringContaining('no cache of this name') })
  })
})
