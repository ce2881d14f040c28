import { nextTurn } from '../../base/timers.ts'
import { type Answer, want, wantField, wantNoField, wantStatus } from '../answer.ts'
import { jsonOf, objectOf } from '../json.ts'
import { openConnection, type Subject, type Trial, wantEqual, wantText } from './subject.ts'

const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores'
const plain = 'text/plain; version=0.0.4; charset=utf-8'

const scrapes: readonly (readonly [string | undefined, string])[] = [
  [undefined, plain],
  ['*/*', plain],
  ['application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', openMetrics],
]

const heads: readonly Readonly<Record<string, string>>[] = [{}, { 'Accept-Encoding': 'gzip' }, { Accept: openMetrics }]

export const meterTrials: readonly Trial[] = [
  {
    title: 'metrics lists the meters, and returns the measurements of each, filtered by tags',
    async attempt({ ask, management: { meters } }) {
      meters.counter('conformance.orders', { region: 'eu', result: 'a:b' }).increment(2)
      meters.counter('conformance.orders', { region: 'us', result: 'ok' }).increment(3)
      const list = await ask('/metrics')
      const { names } = objectOf(list)
      for (const name of ['conformance.orders', 'jvm.memory.used', 'process.uptime'])
        want(list, Array.isArray(names) && names.includes(name), `a name ${name}`)
      const answer = await ask('/metrics/conformance.orders')
      wantField(answer, 'Content-Type', 'application/json')
      wantField(answer, 'Content-Length', String(answer.bytes.length))
      wantEqual(answer, jsonOf(answer), {
        name: 'conformance.orders',
        description: 'conformance.orders',
        measurements: [{ statistic: 'COUNT', value: 5 }],
        availableTags: [
          { tag: 'region', values: ['eu', 'us'] },
          { tag: 'result', values: ['a:b', 'ok'] },
        ],
      })
      const narrowed = await ask('/metrics/conformance.orders?tag=region:eu&tag=result:a:b')
      wantEqual(narrowed, objectOf(narrowed)['measurements'], [{ statistic: 'COUNT', value: 2 }])
      wantEqual(narrowed, objectOf(narrowed)['availableTags'], [])
    },
  },
  ...(
    [
      ['/metrics/none', 404],
      ['/metrics/process.uptime?tag=region:eu', 404],
      ['/metrics/process.uptime?tag=region', 400],
    ] as const
  ).map(
    ([path, status]): Trial => ({
      title: `${path} returns a problem document with ${status}`,
      async attempt({ ask, at }) {
        const answer = await ask(path)
        wantStatus(answer, status)
        wantEqual(answer, objectOf(answer)['instance'], at(path).split('?')[0])
      },
    }),
  ),
  ...scrapes.map(
    ([accept, contentType]): Trial => ({
      title: `the scrape streams all series as ${contentType} for Accept: ${accept ?? '(none)'}`,
      async attempt({ ask, management: { meters } }) {
        meters.timer('conformance.work').record(0.5)
        const answer = await ask('/prometheus', accept === undefined ? {} : { headers: { Accept: accept } })
        wantStatus(answer, 200)
        wantField(answer, 'Content-Type', contentType)
        wantField(answer, 'Transfer-Encoding', 'chunked')
        wantField(answer, 'Cache-Control', 'no-store')
        wantField(answer, 'Vary', 'Accept, Accept-Encoding')
        for (const absent of ['Content-Length', 'Content-Encoding', 'ETag']) wantNoField(answer, absent)
        want(answer, /^conformance_work_seconds_count 1$/m.test(answer.text), 'conformance_work_seconds_count 1')
        want(answer, /^process_uptime_seconds [\d.]+$/m.test(answer.text), 'process_uptime_seconds')
        want(answer, answer.text.endsWith('# EOF\n') === (contentType === openMetrics), 'EOF in OpenMetrics only')
      },
    }),
  ),
  {
    title: 'the scrape returns a single family on request',
    async attempt({ ask, management: { meters } }) {
      meters.gauge('conformance.size', {}, () => 7)
      wantText(
        await ask('/prometheus?name[]=conformance_size'),
        '# HELP conformance_size conformance.size\n# TYPE conformance_size gauge\nconformance_size 7\n',
      )
    },
  },
  {
    title: 'the scrape is compressed on request, with the same content',
    async attempt({ ask, management: { meters } }) {
      meters.gauge('conformance.size', {}, () => 7)
      const path = '/prometheus?name[]=conformance_size'
      const answer = await ask(path, { headers: { 'Accept-Encoding': 'gzip' } })
      wantField(answer, 'Content-Encoding', 'gzip')
      wantField(answer, 'Transfer-Encoding', 'chunked')
      wantNoField(answer, 'Content-Length')
      const { gunzipSync } = process.getBuiltinModule('node:zlib')
      want(answer, gunzipSync(answer.bytes).toString() === (await ask(path)).text, 'the page, compressed')
    },
  },
  ...heads.map(
    (headers): Trial => ({
      title: `HEAD of the scrape with ${JSON.stringify(headers)} has the fields of GET, and no content`,
      async attempt({ ask }) {
        const get = await ask('/prometheus', { headers })
        const head = await ask('/prometheus', { headers, method: 'HEAD' })
        wantStatus(head, 200)
        want(head, head.surplus === 0, 'no bytes after the header section')
        // Framing fields may be omitted from responses without content (RFC 9112 §6.1).
        wantEqual(head, withoutFraming(head), withoutFraming(get))
      },
    }),
  ),
  ...['', 'Accept-Encoding: gzip\r\n'].map(
    (field): Trial => ({
      title: `a${field && ' compressed'} scrape stops when the client disconnects, and the next one is complete`,
      attempt: (subject) => leaveTheScrape(subject, field),
    }),
  ),
]

function withoutFraming({ fields }: Answer): Readonly<Record<string, string>> {
  const { date, 'transfer-encoding': framing, ...rest } = Object.fromEntries(fields)
  return rest
}

async function leaveTheScrape(subject: Subject, field: string): Promise<void> {
  const { ask, at } = subject
  const { meters } = subject.management
  const [series, families, long] = [400, 10, 'x'.repeat(8_000)]
  let reads = 0
  for (let index = 0; index < families * series; index++) {
    meters.gauge(`conformance.left.${index % families}`, { index, long }, () => ++reads)
  }
  const socket = await openConnection(subject, `GET ${at('/prometheus')} HTTP/1.1\r\nHost: 127.0.0.1\r\n${field}\r\n`)
  await new Promise<void>((resolve) => {
    socket.once('data', () => socket.destroy())
    socket.once('close', () => resolve())
  })
  let before = -1
  for (let look = 0; look < 1_000 && before !== reads; look++) {
    before = reads
    for (let turn = 0; turn < 50; turn++) await nextTurn()
  }
  const answer = await ask('/health')
  want(
    answer,
    before > 0 && before < families * series,
    `fewer gauges read than ${families * series}`,
    `${before} were`,
  )
  const next = await ask('/prometheus?name[]=conformance_left_9')
  const lines = next.text.match(/^conformance_left_9\{/gm) ?? []
  want(next, lines.length === series, `${series} series`, `${lines.length} lines`)
}
