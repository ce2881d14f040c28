import { buffer } from 'node:stream/consumers'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { LoggerProvider, type LogRecordProcessor, type ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { createManagement, traced } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { startTelemetry, type TelemetryOptions } from 'upkeep/otlp'
import { processTracing } from '../../support/process-tracing.ts'
import { startHttp } from '../../support/start-http.ts'

/** The trace of a caller, which is also that of the exemplars. */
export const caller = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  flags: 3,
  tracestate: 'a=1,b=2',
}

const application = { name: 'orders', version: '1.4.2' }
const resource = {
  'service.instance.id': 'one',
  'service.replicas': 3,
  'service.canary': true,
  'service.share': 0.25,
}
const refusal = new RangeError('refused')
const item = { sku: 'a', many: [1, 'b', null] }

/** Returns the bodies of the requests, by signal, in which an exporter sends the telemetry of `recordTelemetry`. */
export async function recordExports(
  exporter: NonNullable<TelemetryOptions['exporter']>,
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const bodies = new Map<string, Uint8Array[]>()
  const receiver = await startHttp(async (request, response) => {
    const signal = request.url?.replace('/v1/', '') ?? ''
    const known = bodies.get(signal) ?? []
    bodies.set(signal, [...known, await buffer(request)])
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
  })
  const management = createManagement({
    application,
    metrics: { runtime: false, exemplar: () => caller },
    tracing: true,
  })
  const telemetry = await startTelemetry({
    ...{ management, exporter, url: receiver.url, flushTimeout: '30s' },
    resource,
  })
  try {
    recordTelemetry(management.meters)
  } finally {
    await telemetry.shutdown()
    management.close()
    await receiver.dispose()
  }
  return bodies
}

/** Records meters of each kind, spans and log records with everything that they can have. */
function recordTelemetry(meters: ReturnType<typeof createManagement>['meters']): void {
  meters.counter('orders.placed', { region: 'é "1"\\\n🌍' }, { description: 'Orders', baseUnit: 'orders' }).increment(7)
  meters.gauge('orders.queue', {}, () => 17.5)
  meters.gauge('orders.negative', { shard: '3' }, () => -2)
  const classic = meters.timer('orders.wait', { result: 'late' }, { slo: [0.01, 1], percentiles: [0.5] })
  const native = meters.timer('orders.pack', {}, { exponential: true })
  const sizes = meters.summary('orders.size', {}, { baseUnit: 'bytes' })
  for (const value of [0, 0.25, 0.5, 0.5, 400]) {
    classic.record(value)
    native.record(value)
    sizes.record(value)
  }
  meters.functionTimer('orders.calls', {}, () => ({ count: 4, total: 8 }))
  meters.longTaskTimer('orders.active')

  const tracing = processTracing()
  if (tracing === undefined) throw new Error('tracing is off')
  const attributes = { text: 'é🌍', integer: -7, large: 2 ** 40, share: 0.5, flag: true }
  const server = tracing.startSpan('GET /orders/:id', { kind: 'server', parent: caller, attributes, links: [caller] })
  tracing.run(server, () => {
    traced('query', () => {}, { kind: 'client' })
    try {
      traced('place order', () => {
        throw refusal
      })
    } catch {
      // The span has it.
    }
    const logger = createLogger({ application, write: () => {} })
    logger.child({ logger: 'orders.db' }).warn('read', { rows: 3, share: 0.5, item })
  })
  server.end()
  for (const kind of ['producer', 'consumer'] as const) tracing.startSpan(kind, { kind, parent: 'root' }).end()
  const logger = createLogger({ application, write: () => {} })
  logger.error('failed', refusal)
}

/** Returns the request of the official serializer with the log records of `recordTelemetry`. */
export function officialLogs(): Uint8Array {
  const records: ReadableLogRecord[] = []
  const processor: LogRecordProcessor = {
    onEmit: (record) => void records.push(record),
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  const provider = new LoggerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': 'orders', 'service.version': '1.4.2', ...resource }),
    ),
    processors: [processor],
  })
  const now = Date.now()
  const times = { timestamp: now, observedTimestamp: now }
  const span = { traceId: caller.traceId, spanId: 'eab01556625d1327', traceFlags: caller.flags }
  provider.getLogger('orders.db').emit({
    ...{ ...times, severityNumber: 13, severityText: 'WARN', body: 'read' },
    attributes: { 'thread.name': 'main', rows: 3, share: 0.5, item },
    context: trace.setSpanContext(ROOT_CONTEXT, span),
  })
  provider.getLogger('ROOT').emit({
    ...{ ...times, severityNumber: 17, severityText: 'ERROR', body: 'failed', exception: refusal },
    attributes: { 'thread.name': 'main' },
    context: ROOT_CONTEXT,
  })
  return ProtobufLogsSerializer.serializeRequest(records) as Uint8Array
}
