import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { createManagement, traced } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { startTelemetry, type TelemetryOptions } from 'upkeep/otlp'
import { pinoTraceMixin } from 'upkeep/pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenOn } from '../support/listen.ts'

interface Value {
  readonly stringValue?: string
  readonly intValue?: string
  readonly kvlistValue?: { readonly values: readonly Attribute[] }
}

interface Attribute {
  readonly key: string
  readonly value: Value
}

interface Exported {
  readonly timeUnixNano: string
  readonly observedTimeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly body?: Value
  readonly attributes?: readonly Attribute[]
  readonly droppedAttributesCount?: number
  readonly flags?: number
  readonly traceId?: string
  readonly spanId?: string
}

interface Request {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeLogs: readonly { readonly scope: { readonly name: string }; readonly logRecords: Exported[] }[]
  }[]
}

/** Starts a receiver that responds with this status, and returns the requests that it has received. */
async function startReceiver(status = 200) {
  const requests: Request[] = []
  const server = createServer(async (req, res) => {
    expect(req.url).toBe('/v1/logs')
    requests.push(JSON.parse(await text(req)))
    res.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const scopes = () => requests.flatMap(({ resourceLogs }) => resourceLogs.flatMap(({ scopeLogs }) => scopeLogs))
  return { requests, scopes, records: () => scopes().flatMap(({ logRecords }) => logRecords), port }
}

async function start(port: number, logs: TelemetryOptions['logs'] = {}, options: Partial<TelemetryOptions> = {}) {
  const management = createManagement({ tracing: true, metrics: { runtime: false }, application: { name: 'orders' } })
  const telemetry = await startTelemetry({
    ...{ management, url: `http://127.0.0.1:${port}`, protocol: 'http/json', metrics: false, tracing: false, logs },
    ...options,
  })
  onTestFinished(async () => {
    await telemetry.shutdown()
    management.close()
  })
  const counted = (name: string) =>
    [...management.meters.snapshot()].find(({ id }) => id.name === name && id.tags[0]?.value === 'logs')
  return { management, telemetry, counted }
}

const quiet = { write: () => {} }
const application = { name: 'orders' }

/** Mutants run in threads. */
const { isMainThread, threadId } = process.getBuiltinModule('node:worker_threads')
const threadName = isMainThread ? 'main' : `worker-${threadId}`

describe('log records are exported', () => {
  it('with severity, body, attributes, trace context, logger and resource', async () => {
    const { port, requests, scopes, records } = await startReceiver()
    const { telemetry, counted } = await start(port)
    const logger = createLogger({ application, ...quiet })
    const before = Date.now()
    const context = traced('work', (span) => {
      logger.child({ logger: 'orders.db' }).warn('read', { rows: 3, item: { sku: 'a' } })
      return span?.context
    })
    logger.error('failed', new RangeError('refused'))
    await telemetry.flush()

    expect(requests).toHaveLength(1)
    const resource = requests[0]?.resourceLogs[0]?.resource.attributes ?? []
    expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'orders' } })
    expect(scopes().map(({ scope }) => scope.name)).toEqual(['orders.db', 'ROOT'])
    const [read, failed] = records()
    expect(read).toEqual({
      ...{ severityNumber: 13, severityText: 'WARN', body: { stringValue: 'read' }, flags: context?.flags },
      ...{ traceId: context?.traceId, spanId: context?.spanId },
      timeUnixNano: expect.stringMatching(/^\d{19}$/),
      observedTimeUnixNano: read?.timeUnixNano,
      attributes: [
        { key: 'thread.name', value: { stringValue: threadName } },
        { key: 'rows', value: { intValue: '3' } },
        { key: 'item', value: { kvlistValue: { values: [{ key: 'sku', value: { stringValue: 'a' } }] } } },
      ],
    })
    expect(Number(read?.timeUnixNano) / 1e6).toBeGreaterThanOrEqual(before - 1)
    expect(failed).toMatchObject({ severityNumber: 17, body: { stringValue: 'failed' } })
    expect(failed).not.toHaveProperty('traceId')
    expect(failed?.attributes?.slice(0, 3)).toEqual([
      { key: 'exception.type', value: { stringValue: 'RangeError' } },
      { key: 'exception.message', value: { stringValue: 'refused' } },
      { key: 'exception.stacktrace', value: { stringValue: expect.stringMatching(/^RangeError: refused\n {4}at /) } },
    ])
    expect(counted('otlp.exported')).toMatchObject({ value: 2 })
  })

  it('of pino, from the level that is configured', async () => {
    const { port, records } = await startReceiver()
    const { telemetry } = await start(port, { level: 'WARN' })
    const logger = pino({ mixin: pinoTraceMixin }, quiet)
    for (const level of ['info', 'warn', 'fatal'] as const) logger[level](level)
    await telemetry.flush()
    expect(records().map(({ severityText, body }) => [severityText, body?.stringValue])).toEqual([
      ['WARN', 'warn'],
      ['FATAL', 'fatal'],
    ])
  })

  it('of the console by option, until the shutdown', async () => {
    const written = vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => written.mockRestore())
    const { port, records } = await startReceiver()
    const { telemetry } = await start(port, { console: true })
    console.log('hello %s', 'world')
    await telemetry.shutdown()
    expect(console.log).toBe(written)
    console.log('later')
    expect(records().map(({ body }) => body?.stringValue)).toEqual(['hello world'])
  })

  it('in batches, and with at most 128 attributes', async () => {
    const { port, requests, records } = await startReceiver()
    const { telemetry } = await start(port, { maximumBatchSize: 2 })
    const logger = pino({ mixin: pinoTraceMixin }, quiet)
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`field${at}`, at]))
    for (const fields of [{}, {}, many]) logger.info(fields, 'hm')
    await telemetry.flush()
    expect(requests.map(({ resourceLogs }) => resourceLogs[0]?.scopeLogs[0]?.logRecords.length)).toEqual([2, 1])
    expect(records()[2]?.attributes).toHaveLength(128)
    expect(records()[2]?.droppedAttributesCount).toBe(2)
  })
})

it('records beyond the queue are dropped, counted and reported, and the report is not exported', async () => {
  const { port, records } = await startReceiver()
  const lines: string[] = []
  const logger = createLogger({ application, write: (line) => void lines.push(line) })
  const { report } = logger.loggers
  const { telemetry, counted } = await start(port, { maximumQueueSize: 2, maximumBatchSize: 2 }, { report })
  for (const message of ['one', 'two', 'three', 'four', 'five']) logger.info(message)
  await telemetry.shutdown()
  const { value } = counted('otlp.dropped') as unknown as { value: number }
  expect(value).toBeGreaterThan(0)
  expect(value + records().length).toBe(5)
  expect(lines.filter((line) => line.includes('otlp: dropped'))).toHaveLength(1)
  expect(records().some(({ body }) => body?.stringValue?.startsWith('otlp'))).toBe(false)
})

it('records that a receiver refuses are reported, and the report is not exported', async () => {
  const { port, requests } = await startReceiver(400)
  const lines: string[] = []
  const logger = createLogger({ application, write: (line) => void lines.push(line) })
  const { telemetry, counted } = await start(port, {}, { report: logger.loggers.report })
  logger.info('one')
  await telemetry.flush()
  await telemetry.flush()
  expect(lines.filter((line) => line.includes('failed to export 1 log record'))).toHaveLength(1)
  expect(counted('otlp.failed')).toMatchObject({ value: 1 })
  expect(requests).toHaveLength(1)
})

it('no records are exported with logs: false', async () => {
  const { port, requests } = await startReceiver()
  const { telemetry } = await start(port, false)
  createLogger({ application, ...quiet }).info('one')
  await telemetry.flush()
  expect(requests).toEqual([])
})
