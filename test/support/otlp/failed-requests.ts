import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, createManagement, type Management, type ManagementOptions, traced } from 'upkeep'
import { createLogger, type Logger } from 'upkeep/logging'
import { startTelemetry, type TelemetryOptions } from 'upkeep/otlp'
import { onTestFinished } from 'vitest'
import { deferred } from '../deferred.ts'
import { createManualClock, type ManualClock } from '../manual-clock.ts'
import { attributesOf, type SentRecord, type SentSpan } from './decode.ts'
import { startReceiver } from './receiver.ts'

/** A service that exports over OTLP, whose requests a test sends without a server. */
export interface ExportingService {
  readonly management: Management
  readonly clock: ManualClock
  readonly logger: Logger
  readonly reported: readonly string[]
  /** Starts a request, which ends as the test decides. */
  request(headers?: Readonly<Record<string, string>>): OpenRequest
  /** Exports, and returns the spans and records that have arrived in all: `name` and attribute `upkeep.kept`. */
  exported(): Promise<Exported>
  /** Values of a meter of the export, by its tags. */
  counted(name: string): Readonly<Record<string, number>>
}

export interface Exported {
  readonly spans: readonly ExportedItem[]
  readonly records: readonly ExportedItem[]
}

/** A span or a record: its name or message, and whether it is marked. */
export interface ExportedItem {
  readonly name: string
  readonly kept: unknown
  readonly traceId: string | undefined
  readonly isSampled: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface OpenRequest {
  /** Runs a function within the request. */
  within<T>(work: () => T): T
  /** Starts and ends a child span, with a record of level DEBUG in it. */
  work(name: string, attributes?: Attributes): void
  respond(status?: number): Promise<void>
  throw(error: unknown): Promise<void>
  abort(): Promise<void>
}

/** Starts a service; everything ends with the test. */
export async function startExportingService(
  options: Partial<TelemetryOptions> = {},
  managementOptions: ManagementOptions = {},
): Promise<ExportingService> {
  const receiver = await startReceiver()
  const clock = createManualClock()
  const management = createManagement({ metrics: { runtime: false }, clock, ...managementOptions })
  const reported: string[] = []
  const telemetry = await startTelemetry({
    ...{ management, url: receiver.url, clock, metrics: false, report: (message: string) => reported.push(message) },
    ...{ tracing: { probability: 0 }, logs: { level: 'INFO' as const } },
    ...options,
  })
  onTestFinished(async () => {
    await telemetry.shutdown()
    management.close()
    await receiver.dispose()
  })
  const logger = createLogger({ application: { name: 'orders' }, level: 'DEBUG', write: () => {} })
  return {
    ...{ management, clock, logger, reported },
    request: (headers = {}) => open(management, logger, headers),
    async exported() {
      await telemetry.flush()
      return {
        spans: receiver.exports.flatMap(({ spans }) => spans).map(({ name, ...rest }) => ({ name, ...read(rest) })),
        records: receiver.exports
          .flatMap(({ records }) => records)
          .map(({ body, ...rest }) => ({ name: body?.stringValue ?? '', ...read(rest) })),
      }
    },
    counted: (name) =>
      Object.fromEntries(
        [...management.meters.snapshot()]
          .filter(({ id }) => id.name === name)
          .map((each) => [each.id.tags.map(({ value }) => value).join(' '), 'value' in each ? each.value : Number.NaN]),
      ),
  }
}

function read({ attributes = [], flags = 0, traceId }: SentItem): Omit<ExportedItem, 'name'> {
  const all = attributesOf(attributes)
  return { kept: all['upkeep.kept'], traceId, isSampled: (flags & 1) === 1, attributes: all }
}

type SentItem = Pick<SentSpan | SentRecord, 'attributes' | 'flags' | 'traceId'>

function open(management: Management, logger: Logger, headers: Readonly<Record<string, string>>): OpenRequest {
  const controller = new AbortController()
  const request = new Request('http://127.0.0.1/orders', { headers, signal: controller.signal })
  const { promise, resolve, reject } = deferred<Response>()
  let within: OpenRequest['within'] = () => {
    throw new Error('The request has not begun.')
  }
  const responded = management.observation.beginFetch(
    request,
    request,
    () => '/orders',
    () => {
      within = AsyncLocalStorage.snapshot()
      return promise
    },
  )
  const settled = Promise.resolve(responded).then(
    (response) => response.arrayBuffer(),
    () => undefined,
  )
  return {
    within: (work) => within(work),
    work: (name, attributes) => within(() => traced(name, () => logger.debug(`in ${name}`), { attributes })),
    async respond(status = 200) {
      resolve(new Response(null, { status }))
      await settled
    },
    async throw(error) {
      reject(error)
      await settled
    },
    async abort() {
      controller.abort()
      resolve(new Response(null))
      await settled
    },
  }
}
