import { gunzipSync } from 'node:zlib'
import { createManagement, type Management, type ManagementOptions } from 'upkeep'
import type { ManagementResponse } from 'upkeep/adapter'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { decodeFamilies } from '../../prometheus/decode-families.ts'
import { requestWith } from '../../support/management-request.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { bytesOf, textOf } from '../../support/read-content.ts'

const path = '/management/prometheus'
const plain = 'text/plain; version=0.0.4; charset=utf-8'
const newerPlain = 'text/plain; version=1.0.0; charset=utf-8'
const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
const protobuf = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited'
/** How names are escaped unless another scheme is requested. */
const underscores = '; escaping=underscores'

/** A management without the meters of this process and of the scrapes, and how to scrape it. */
function scraped(options: ManagementOptions = {}) {
  const management = createManagement({
    expose: ['prometheus'],
    clock: createManualClock(),
    ...options,
    metrics: {
      runtime: false,
      filters: [{ accept: ({ name }) => (name.startsWith('upkeep.') ? 'deny' : 'neutral') }],
      ...options.metrics,
    },
  })
  onTestFinished(() => management.close())
  return { management, meters: management.meters, scrape: scrapeOf(management) }
}

function scrapeOf(management: Management) {
  return async (query = '', headers = {}, method = 'GET'): Promise<ManagementResponse> => {
    const response = await management({ ...requestWith(headers), method, target: path + query })
    if (response === undefined) throw new Error('the scrape was passed on')
    return response
  }
}

/** Three families. */
function orders() {
  const found = scraped()
  found.meters.counter('orders.placed', { region: 'eu' }, { description: 'Orders' }).increment(2)
  found.meters.timer('http.server.requests').record(0.5)
  found.meters.gauge('pool.size', {}, () => 3, { baseUnit: 'connections' })
  return found
}

describe('GET prometheus', () => {
  it('writes every series as Prometheus text', async () => {
    const { scrape } = orders()
    expect(await textOf(await scrape())).toBe(
      [
        '# HELP http_server_requests_seconds http.server.requests',
        '# TYPE http_server_requests_seconds summary',
        'http_server_requests_seconds_sum 0.5',
        'http_server_requests_seconds_count 1',
        '# HELP http_server_requests_seconds_max http.server.requests',
        '# TYPE http_server_requests_seconds_max gauge',
        'http_server_requests_seconds_max 0.5',
        '# HELP orders_placed_total Orders',
        '# TYPE orders_placed_total counter',
        'orders_placed_total{region="eu"} 2',
        '# HELP pool_size_connections pool.size',
        '# TYPE pool_size_connections gauge',
        'pool_size_connections 3',
        '',
      ].join('\n'),
    )
  })

  it('is not cached, and has no Content-Length', async () => {
    const { scrape } = orders()
    expect((await scrape()).headers).toEqual({
      'Content-Type': plain,
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      Expires: '0',
      Vary: 'Accept, Accept-Encoding',
    })
  })

  it('has the unit and an end in OpenMetrics, and the same series', async () => {
    const { scrape } = orders()
    const text = await textOf(await scrape('', { accept: 'application/openmetrics-text' }))
    expect(text).toContain('# TYPE pool_size_connections gauge\n# UNIT pool_size_connections connections\n')
    expect(text).toContain('# TYPE orders_placed counter\n')
    expect(text).toMatch(/^orders_placed_total\{region="eu"\} 2$/m)
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    const samples = (page: string) => page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(samples(text)).toEqual(samples(await textOf(await scrape())))
  })

  it('has when counters and timers began in OpenMetrics alone, with createdTimestamps', async () => {
    const { meters, scrape } = scraped({ metrics: { createdTimestamps: true } })
    meters.counter('orders.placed', { region: 'eu' }).increment(2)
    meters.timer('feed.parsing').record(0.5)
    const text = await textOf(await scrape('', { accept: 'application/openmetrics-text' }))
    expect(text.match(/^\w+_created.*$/gm)).toEqual([
      'feed_parsing_seconds_created 0',
      'orders_placed_created{region="eu"} 0',
    ])
    expect(await textOf(await scrape())).not.toContain('_created')
  })

  it('ignores If-None-Match, because scrapes are not cached', async () => {
    expect((await orders().scrape('', { 'if-none-match': '*' })).status).toBe(200)
  })
})

/** Whether a page begins with a message whose first field is the name of the first of these orders. */
function isProtobuf(page: Buffer): boolean {
  const name = 'http_server_requests_seconds'
  const field = Buffer.from([0x0a, name.length, ...Buffer.from(name)])
  return page.indexOf(field) > 0 && page.indexOf(field) < 4
}

describe('the format of a scrape', () => {
  it.each([
    ['nothing', undefined, plain],
    ['anything', '*/*', plain],
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', plain],
    ['any text', 'text/*', plain],
    ['plain text', 'text/plain', plain],
    ['OpenMetrics of any version', 'application/openmetrics-text', openMetrics + underscores],
    [
      'Prometheus 2.42',
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,' +
        'text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      openMetrics + underscores,
    ],
    [
      'Prometheus 2.5x',
      'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;' +
        'q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      openMetrics + underscores,
    ],
    [
      'Prometheus 2 that wants native histograms',
      'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,' +
        'application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;' +
        'q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      protobuf + underscores,
    ],
    [
      'Prometheus 3 that wants native histograms',
      'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,' +
        'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,' +
        'application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,' +
        'text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
      protobuf + underscores,
    ],
    [
      'protobuf with names of every kind',
      'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;escaping=allow-utf-8',
      `${protobuf}; escaping=allow-utf-8`,
    ],
    ['less protobuf than text', `${protobuf};q=0.2,text/plain;q=0.3`, plain],
    [
      'OpenMetrics 2.0, which is not stable, or else 1.0',
      'application/openmetrics-text;version=2.0.0,application/openmetrics-text;version=1.0.0;q=0.5',
      openMetrics + underscores,
    ],
    [
      'Prometheus 3',
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,' +
        'application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;' +
        'escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      `${openMetrics}; escaping=allow-utf-8`,
    ],
    [
      'Prometheus 3 that wants names of the old kind',
      'application/openmetrics-text;version=1.0.0;escaping=underscores;q=0.6,' +
        'application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;' +
        'escaping=underscores;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      `${openMetrics}; escaping=underscores`,
    ],
    [
      'Prometheus 3 that wants names which it can turn back',
      'application/openmetrics-text;version=1.0.0;escaping=values;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      `${openMetrics}; escaping=values`,
    ],
    [
      'Prometheus 3 that wants dots spelled out',
      'application/openmetrics-text;version=1.0.0;escaping=dots;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      `${openMetrics}; escaping=dots`,
    ],
    ['the newer text', 'text/plain;version=1.0.0', newerPlain + underscores],
    [
      'Prometheus 3 that wants text',
      'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      `${newerPlain}; escaping=allow-utf-8`,
    ],
    ['less OpenMetrics than text', 'application/openmetrics-text;q=0.2,text/plain;q=0.9', plain],
    [
      'less text than OpenMetrics',
      'text/plain;q=0.2,application/openmetrics-text;version=1.0.0;q=0.9',
      openMetrics + underscores,
    ],
    ['both alike', 'application/openmetrics-text,text/plain', openMetrics + underscores],
    ['no text', 'text/plain;q=0,*/*', openMetrics + underscores],
    ['its own words', openMetrics + underscores, openMetrics + underscores],
    ['other case and quotes', 'Application/OpenMetrics-Text; Version="1.0.0"', openMetrics + underscores],
  ])('for who accepts %s is by the q-values', async (_name, accept, contentType) => {
    const response = await orders().scrape('', accept === undefined ? {} : { accept })
    expect(response.headers['Content-Type']).toBe(contentType)
    const page = await bytesOf(response)
    expect(page.toString().endsWith('# EOF\n')).toBe(contentType.startsWith(openMetrics))
    expect(isProtobuf(page)).toBe(contentType.startsWith(protobuf))
  })

  it('can be selected by a parameter as well', async () => {
    const { headers } = await orders().scrape('?accept=application/openmetrics-text', { accept: 'text/plain' })
    expect(headers['Content-Type']).toBe(openMetrics + underscores)
  })

  it.each([
    'application/json',
    'application/openmetrics-text;version=0.0.1',
    'application/openmetrics-text;version=2.0.0',
    'text/plain;version=2.0.0',
    'application/vnd.google.protobuf;encoding=text',
    '*/*;q=0',
  ])('is none for who accepts only %s', async (accept) => {
    const response = await orders().scrape('', { accept })
    expect(response.status).toBe(406)
    expect(await textOf(response)).toContain(plain)
  })
})

describe('a selection of families', () => {
  const families = (text: string) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)

  it.each([
    ['?name[]=orders_placed_total', ['orders_placed_total']],
    ['?name%5B%5D=orders_placed', ['orders_placed_total']],
    ['?name[]=orders_placed&name[]=pool_size_connections', ['orders_placed_total', 'pool_size_connections']],
    ['?includedNames=orders_placed', ['orders_placed_total']],
    ['?includedNames=orders_placed,pool_size_connections', ['orders_placed_total', 'pool_size_connections']],
    [
      '?includedNames=http_server_requests_seconds_count',
      ['http_server_requests_seconds', 'http_server_requests_seconds_max'],
    ],
    [
      '?includedNames=pool_size_connections&name[]=http_server_requests_seconds',
      ['http_server_requests_seconds', 'http_server_requests_seconds_max', 'pool_size_connections'],
    ],
    ['?name[]=none', []],
    ['?includedNames=', []],
    ['?name[]=orders.placed', []],
  ])('%s is by exported names', async (query, expected) => {
    const { scrape } = orders()
    const response = await scrape(query)
    expect(response.status).toBe(200)
    expect(families(await textOf(response))).toEqual(expected)
  })

  it('that is empty is a whole page of OpenMetrics', async () => {
    expect(await textOf(await orders().scrape('?name[]=none', { accept: openMetrics }))).toBe('# EOF\n')
  })
})

describe('the coding of a scrape', () => {
  it.each(['gzip', 'gzip, deflate, br', 'GZIP', 'deflate, gzip;q=0.1', '*', 'identity;q=0, gzip;q=0.5'])(
    'is gzip for who accepts %j',
    async (coding) => {
      const { scrape } = orders()
      const response = await scrape('', { 'accept-encoding': coding })
      expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept, Accept-Encoding' })
      expect(response.headers).not.toHaveProperty('Content-Length')
      expect(gunzipSync(await bytesOf(response)).toString()).toBe(await textOf(await scrape()))
    },
  )

  it.each([undefined, '', 'identity', 'gzip;q=0', 'br', 'deflate', 'gzip;q=0.5, identity', '*;q=0', ',;q'])(
    'is none for who accepts %j',
    async (coding) => {
      const { scrape } = orders()
      const response = await scrape('', coding === undefined ? {} : { 'accept-encoding': coding })
      expect(response.headers).not.toHaveProperty('Content-Encoding')
      expect((await bytesOf(response)).toString()).toBe(await textOf(await scrape()))
    },
  )

  it('is none for what does not stream', async () => {
    const { management } = scraped({ expose: ['metrics'] })
    const request = { ...requestWith({ 'accept-encoding': 'gzip' }), target: '/management/metrics' }
    expect((await management(request))?.headers).not.toHaveProperty('Content-Encoding')
  })
})

describe('HEAD prometheus', () => {
  it.each([{}, { 'accept-encoding': 'gzip' }, { accept: openMetrics }])(
    'with %j has the fields of GET, and reads no meter',
    async (headers) => {
      const { meters, scrape } = scraped()
      const read = vi.fn(() => 1)
      meters.gauge('a', {}, read)
      const head = await scrape('', headers, 'HEAD')
      await new Promise((resolve) => setImmediate(resolve))
      expect(head).toMatchObject({ status: 200, body: null })
      expect(read).not.toHaveBeenCalled()
      const get = await scrape('', headers)
      expect(head.headers).toEqual(get.headers)
      await bytesOf(get)
      expect(read).toHaveBeenCalledTimes(1)
    },
  )

  it('refuses other methods', async () => {
    expect(await scraped().scrape('', {}, 'POST')).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    })
  })
})

describe('a scrape that is left in the middle', () => {
  /** Counts how many of many gauges were read. */
  function counted(series: number) {
    const found = scraped({ metrics: { maximumSeriesPerMeter: series } })
    let reads = 0
    for (let index = 0; index < series; index++) {
      found.meters.gauge('a.gauge.with.a.long.name', { index: `${index}`.padStart(40, '0') }, () => ++reads)
    }
    return { ...found, reads: () => reads }
  }

  it.each([{}, { 'accept-encoding': 'gzip' }])('with %j is rendered no further', async (headers) => {
    const series = 30_000
    const { scrape, reads } = counted(series)
    const { body } = await scrape('', headers)
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await chunks.next()
    await chunks.return?.()
    const pass = async () => {
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    // What was asked for already is still finished.
    await pass()
    const read = reads()
    await pass()
    expect(read).toBeGreaterThan(0)
    expect(reads()).toBe(read)
    expect(read).toBeLessThan(series / 2)
    // The next is a new one, and whole.
    expect((await textOf(await scrape('', headers))).split('\n')).toHaveLength(series + 3)
  })
})

describe('a scrape of 100,000 counters', () => {
  const series = 100_000

  function large() {
    const found = scraped({ metrics: { maximumSeriesPerMeter: series } })
    const counters = found.meters.counters('orders.placed', ['customer', 'region'])
    for (let index = 0; index < series; index++) counters.with(`customer-${index}`, 'eu-central-1').increment(index)
    return found
  }

  it('yields to the event loop after each slice', async () => {
    const { scrape } = large()
    let turns = 0
    let goesOn = true
    const turn = () => {
      turns++
      if (goesOn) setImmediate(turn)
    }
    setImmediate(turn)
    const sizes: number[] = []
    const turnsBetween: number[] = []
    let before = 0
    for await (const chunk of (await scrape()).body as AsyncIterable<Uint8Array>) {
      sizes.push(chunk.length)
      turnsBetween.push(turns - before)
      before = turns
    }
    goesOn = false
    expect(sizes.length).toBeGreaterThan(90)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536)
    // The first chunk, too, is made in a turn of its own.
    expect(Math.min(...turnsBetween)).toBeGreaterThanOrEqual(1)
  })

  it('is rendered once for all who scrape at the same time, zipped or not', async () => {
    const { meters, scrape } = large()
    const read = vi.fn(() => 1)
    meters.gauge('z', {}, read)
    const scrapes = [{}, {}, { 'accept-encoding': 'gzip' }, { accept: 'text/plain' }]
    const pages = await Promise.all(scrapes.map(async (headers) => textOf(await scrape('', headers))))
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('customer-99999')
    expect(read).toHaveBeenCalledTimes(1)
    await textOf(await scrape())
    expect(read).toHaveBeenCalledTimes(2)
  })
})

describe('the scrapes themselves', () => {
  it('are measured: how long they kept the event loop, how long they were and how many series they had', async () => {
    const management = createManagement({ expose: ['prometheus'], metrics: { runtime: false } })
    onTestFinished(() => management.close())
    management.meters.counter('a').increment()
    const scrape = scrapeOf(management)
    const first = await bytesOf(await scrape())
    const second = await textOf(await scrape())
    expect(second).toContain(`upkeep_scrape_size_bytes_sum{format="text/plain"} ${first.length}\n`)
    expect(second).toContain('upkeep_scrape_duration_seconds_count{format="text/plain"} 1\n')
    expect(second).toContain('upkeep_scrape_series 2\n')
    const third = await textOf(await scrape('', { accept: openMetrics }))
    expect(third).toContain('upkeep_scrape_duration_seconds_count{format="text/plain"} 2\n')
    const fourth = await textOf(await scrape())
    expect(fourth).toContain('upkeep_scrape_duration_seconds_count{format="application/openmetrics-text"} 1\n')
  })

  it('report once a meter that would have the name of another', async () => {
    const report = vi.fn()
    const { meters, scrape } = scraped({ report })
    meters.gauge('a.b', {}, () => 1)
    meters.gauge('a_b', {}, () => 2)
    for (const headers of [{}, { accept: openMetrics }]) {
      expect(await textOf(await scrape('', headers))).toMatch(/^a_b 1$/m)
    }
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      "the scrape omits the meter 'a_b': 'a.b' is already exported as a_b",
    ])
  })

  it('report a series that would equal that of another', async () => {
    const report = vi.fn()
    const { meters, scrape } = scraped({ report })
    meters.gauge('a', { 'x.y': 1 }, () => 1)
    meters.gauge('a', { x_y: 1 }, () => 2)
    expect(await textOf(await scrape())).toMatch(/^a\{x_y="1"\} 1\n$/m)
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      `the scrape omits a series of the meter 'a': 'a' is already exported as a{x_y="1"}`,
    ])
  })

  it('continue if a gauge throws, and report it once', async () => {
    const report = vi.fn()
    const { meters, scrape } = scraped({ report })
    meters.gauge('a', {}, () => {
      throw new Error('gone')
    })
    meters.gauge('b', {}, () => 2)
    for (let time = 0; time < 2; time++) expect(await textOf(await scrape())).toMatch(/^a NaN\n[\s\S]*^b 2$/m)
    expect(report.mock.calls).toEqual([["The meter 'a' could not be read: gone", new Error('gone')]])
  })

  it('still work after the management is closed', async () => {
    const { management, meters, scrape } = scraped()
    meters.counter('a').increment(3)
    management.close()
    management.close()
    expect(await textOf(await scrape())).toContain('a_total 3\n')
  })
})

/**
 * As by `EscapeMetricFamily` of github.com/prometheus/common 0.69: every scheme leaves a name of letters, digits and
 * underscores as it is, `dots` and `values` too.
 */
describe('a page whose names are escaped', () => {
  const schemes = ['underscores', 'allow-utf-8', 'dots', 'values']
  const legal = /^[a-zA-Z_]\w*$/
  const names = ['orders_placed_total', 'gr__e', '_1st_seconds', 'a_b_c']

  function filled() {
    const { meters, scrape } = scraped()
    meters.counter('orders.placed', { 'shop.region': 'é.ü', größe: 'x_y' }).increment()
    meters.gauge('größe', {}, () => 1)
    meters.timer('1st', { '2nd': 'a.b' }, { slo: [1], exponential: true }).record(0.5)
    meters.gauge('a:b_c', { __reserved: 'z' }, () => 2)
    return async (accept: string) => {
      const response = await scrape('', { accept })
      expect(response.headers['Content-Type']).toBe(accept)
      return response
    }
  }

  it.each([newerPlain, openMetrics])('is the same by each scheme: %s', async (format) => {
    const scrapeAs = filled()
    const [first = '', ...others] = await Promise.all(
      schemes.map(async (scheme) => textOf(await scrapeAs(`${format}; escaping=${scheme}`))),
    )
    for (const other of others) expect(other).toBe(first)
    const samples = first.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const found = samples.map((line) => /^[^{ ]+/.exec(line)?.[0] ?? '')
    const labels = samples.flatMap((line) => [...line.matchAll(/[{,]([^"{},=]+)="/g)].map(([, label = '']) => label))
    expect(labels.length).toBeGreaterThan(3)
    for (const name of [...found, ...labels]) expect(name).toMatch(legal)
    for (const name of names)
      expect(
        found.some((each) => each.startsWith(name)),
        name,
      ).toBe(true)
  })

  it('is the same by each scheme: protobuf', async () => {
    const scrapeAs = filled()
    const pages = await Promise.all(
      schemes.map(async (scheme) => bytesOf(await scrapeAs(`${protobuf}; escaping=${scheme}`))),
    )
    const [first = new Uint8Array(), ...others] = pages
    for (const other of others) expect(Buffer.compare(other, first)).toBe(0)
    const families = decodeFamilies(first)
    const labels = families.flatMap(({ metric }) => metric.flatMap(({ label }) => label.map(({ name }) => name)))
    expect(labels.length).toBeGreaterThan(3)
    for (const name of [...families.map((family) => family.name), ...labels]) expect(name).toMatch(legal)
    for (const name of names)
      expect(
        families.some((family) => family.name.startsWith(name)),
        name,
      ).toBe(true)
  })
})
