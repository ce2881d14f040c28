import type { ManagementOptions } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const path = '/management/metrics'

/** Without the meters of this process and of the scrapes. */
function metrics(options: ManagementOptions = {}) {
  const managed = createManagementClient({
    expose: ['metrics'],
    clock: createManualClock(),
    ...options,
    metrics: {
      runtime: false,
      filters: [{ accept: ({ name }) => (name.startsWith('upkeep.') ? 'deny' : 'neutral') }],
      ...options.metrics,
    },
  })
  const { send, management } = managed
  return { ...managed, meters: management.meters, get: (rest: string) => send(`${path}${rest}`) }
}

/** Requests as an HTTP server would have timed them. */
function requests() {
  const managed = metrics()
  const timers = managed.meters.timers('http.server.requests', ['uri', 'method', 'status'], {
    description: 'How long requests took',
  })
  timers.with('/orders', 'GET', '200').record(1)
  timers.with('/orders', 'GET', '200').record(2)
  timers.with('/orders', 'POST', '201').record(8)
  timers.with('/users', 'GET', '200').record(4)
  timers.with('/users', 'GET', '500').record(16)
  return managed
}

const measurements = (count: number, total: number, max: number) => [
  { statistic: 'COUNT', value: count },
  { statistic: 'TOTAL_TIME', value: total },
  { statistic: 'MAX', value: max },
]

describe('GET metrics', () => {
  it('names every meter once, sorted, as in the code', async () => {
    const { meters, get } = metrics()
    meters.counter('orders.placed', { region: 'eu' })
    meters.counter('orders.placed', { region: 'us' })
    meters.gauge('b', {}, () => 1)
    meters.timer('Upper')
    expect((await get('')).body).toBe('{"names":["Upper","b","orders.placed"]}')
  })

  it('names nothing where there is nothing', async () => {
    expect((await metrics().get('')).body).toBe('{"names":[]}')
  })

  it('lists the meters of the process and the scrapes by default', async () => {
    const { send, management } = createManagementClient({ expose: ['metrics'] })
    const { names } = (await send(path)).json as { names: readonly string[] }
    expect(names).toEqual(expect.arrayContaining(['jvm.memory.used', 'process.uptime', 'upkeep.scrape.series']))
    expect(names).toEqual([...new Set(names)].sort())
    management.close()
  })

  it('may be cached if it is revalidated each time', async () => {
    const { meters, get, send } = metrics()
    meters.counter('a')
    const { headers } = await get('')
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Length': '15',
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
      Expires: '0',
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
      Vary: 'Accept',
    })
    expect((await send(path, { headers: { 'if-none-match': headers['ETag'] } })).status).toBe(304)
    meters.counter('b')
    expect((await send(path, { headers: { 'if-none-match': headers['ETag'] } })).status).toBe(200)
  })
})

describe('GET metrics/{name}', () => {
  it('aggregates all series, in the format of Spring Boot Actuator', async () => {
    expect((await requests().get('/http.server.requests')).body).toBe(
      JSON.stringify({
        name: 'http.server.requests',
        description: 'How long requests took',
        baseUnit: 'seconds',
        measurements: measurements(5, 31, 16),
        availableTags: [
          { tag: 'method', values: ['GET', 'POST'] },
          { tag: 'status', values: ['200', '201', '500'] },
          { tag: 'uri', values: ['/orders', '/users'] },
        ],
      }),
    )
  })

  it.each([
    ['one tag', '?tag=uri:/orders', measurements(3, 11, 8), ['method', 'status']],
    ['two tags, of which both must be there', '?tag=uri:/orders&tag=method:GET', measurements(2, 3, 2), ['status']],
    ['a tag that all of them have', '?tag=method:GET&tag=status:200', measurements(3, 7, 4), ['uri']],
    ['all tags', '?tag=status:500&tag=uri:/users&tag=method:GET', measurements(1, 16, 16), []],
    ['the same tag twice', '?tag=uri:/users&tag=uri:/users', measurements(2, 20, 16), ['method', 'status']],
    ['percent encoding', '?tag=uri%3A%2Forders&tag=method%3aPOST', measurements(1, 8, 8), ['status']],
    ['other parameters beside', '?x=uri:/none&tag=uri:/users&tags=a', measurements(2, 20, 16), ['method', 'status']],
  ])('is narrowed by %s', async (_name, query, expected, left) => {
    const { json } = await requests().get(`/http.server.requests${query}`)
    const { measurements: found, availableTags } = json as {
      measurements: unknown
      availableTags: readonly { tag: string }[]
    }
    expect(found).toEqual(expected)
    expect(availableTags.map(({ tag }) => tag)).toEqual(left)
  })

  it.each([
    ['another name', '/http.server.request'],
    ['a name in another case', '/HTTP.server.requests'],
    ['a name as it is scraped', '/http_server_requests_seconds'],
    ['a value that there is not', '/http.server.requests?tag=uri:/none'],
    ['a key that there is not', '/http.server.requests?tag=host:a'],
    ['tags that no series has together', '/http.server.requests?tag=uri:/orders&tag=status:500'],
    ['two values of one key', '/http.server.requests?tag=uri:/orders&tag=uri:/users'],
    ['an empty value', '/http.server.requests?tag=uri:'],
    ['a key that every object has', '/http.server.requests?tag=__proto__:a'],
    ['a name that every object has', '/__proto__'],
    ['more than a name', '/http.server.requests/uri'],
  ])('has nothing at %s', async (_name, rest) => {
    expect(await requests().get(rest)).toMatchObject({
      status: 404,
      headers: { 'Content-Type': 'application/problem+json' },
    })
  })

  it.each(['uri', '', 'uri%20/orders', 'uri=/orders'])('refuses the tag %j, which has no colon', async (tag) => {
    const { status, json } = await requests().get(`/http.server.requests?tag=uri:/orders&tag=${tag}`)
    expect(status).toBe(400)
    expect(json).toMatchObject({
      detail:
        'The query parameter tag must have the form key:value, received ' +
        `${JSON.stringify(decodeURIComponent(tag))}.`,
    })
  })

  it.each([
    ['a colon, and is split at the first', 'url', 'http://a:80/', 'url:http://a:80/'],
    ['a comma, and is one value', 'ids', '1,b:2', 'ids:1,b:2'],
    ['nothing', 'region', '', 'region:'],
    ['a blank', 'city', 'New York', 'city:New+York'],
    ['a plus', 'sum', '1+1', 'sum:1%2B1'],
    ['an ampersand and an umlaut', 'shop', 'Müller & Söhne', `shop:${encodeURIComponent('Müller & Söhne')}`],
    ['a line break', 'text', 'a\nb', 'text:a%0Ab'],
  ])('finds a value that holds %s', async (_name, key, value, tag) => {
    const { meters, get } = metrics()
    meters.counter('a', { [key]: value }).increment(7)
    meters.counter('a', { [key]: 'other' }).increment(100)
    expect((await get(`/a?tag=${tag}`)).json).toEqual({
      name: 'a',
      description: 'a',
      measurements: [{ statistic: 'COUNT', value: 7 }],
      availableTags: [],
    })
  })

  it('treats a comma as part of a tag value, unlike Spring', async () => {
    const { meters, get } = metrics()
    meters.counter('a', { x: '1', y: '2' })
    expect((await get('/a?tag=x:1,y:2')).status).toBe(404)
    expect((await get('/a?tag=x:1&tag=y:2')).status).toBe(200)
  })

  it('yields to the event loop while thousands of series are aggregated', async () => {
    const { meters, get } = metrics({ metrics: { maximumSeriesPerMeter: 5_000 } })
    for (let at = 0; at < 5_000; at++) meters.counter('orders', { at }).increment()
    let turns = 0
    let goesOn = true
    const turn = () => {
      turns += 1
      if (goesOn) setImmediate(turn)
    }
    setImmediate(turn)
    const { body } = await get('/orders?tag=at:17')
    const { body: all } = await get('/orders')
    goesOn = false
    expect(body).toContain('"value":1}')
    expect(all).toContain('"value":5000}')
    expect(turns).toBeGreaterThanOrEqual(2 * Math.floor(5_000 / 256))
  })

  it('has its name as the description and no unit by default', async () => {
    const { meters, get } = metrics()
    meters.gauge('a', {}, () => 1.5)
    expect((await get('/a')).body).toBe(
      '{"name":"a","description":"a","measurements":[{"statistic":"VALUE","value":1.5}],"availableTags":[]}',
    )
  })

  it('sums gauges, and reports a summary in its unit', async () => {
    const { meters, get } = metrics()
    meters.gauge('pool', { id: 'a' }, () => 3)
    meters.gauge('pool', { id: 'b' }, () => 4)
    meters.summary('size', { kind: 'a' }, { baseUnit: 'bytes' }).record(10)
    meters.summary('size', { kind: 'b' }, { baseUnit: 'bytes' }).record(30)
    expect((await get('/pool')).json).toMatchObject({ measurements: [{ statistic: 'VALUE', value: 7 }] })
    expect((await get('/size')).json).toMatchObject({
      baseUnit: 'bytes',
      measurements: [
        { statistic: 'COUNT', value: 2 },
        { statistic: 'TOTAL', value: 40 },
        { statistic: 'MAX', value: 30 },
      ],
    })
  })

  it('reports null for a gauge without a value, because JSON has no NaN', async () => {
    const { meters, get } = metrics({ report: () => {} })
    meters.gauge('a', {}, () => Number.NaN)
    meters.gauge('b', {}, () => {
      throw new Error('gone')
    })
    for (const name of ['a', 'b']) {
      expect((await get(`/${name}`)).json).toMatchObject({ measurements: [{ statistic: 'VALUE', value: null }] })
    }
  })

  it.each([
    ['a blank', 'orders placed', 'orders%20placed'],
    ['letters of any kind', 'bestellungen.größe', encodeURIComponent('bestellungen.größe')],
    ['a question mark', 'a?b', 'a%3Fb'],
    ['a percent sign', '100%', '100%25'],
  ])('finds a name with %s', async (_name, name, segment) => {
    const { meters, get } = metrics()
    meters.counter(name)
    expect((await get(`/${segment}`)).json).toMatchObject({ name })
  })

  it('supports range requests', async () => {
    expect((await requests().get('/http.server.requests?tag=uri:/users&fields=measurements(value)')).json).toEqual({
      measurements: [{ value: 2 }, { value: 20 }, { value: 16 }],
    })
  })

  it('is not there when it is not exposed', async () => {
    const { send } = createManagementClient({ expose: ['prometheus'] })
    expect((await send(path)).status).toBe(404)
    expect((await send(`${path}/process.uptime`)).status).toBe(404)
  })
})
