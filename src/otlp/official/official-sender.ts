import { Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions } from 'node:https'
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import { untraced } from '../../tracing/current-tracing.ts'
import { type Attempt, createAttempt, isSuccess, isWorthRepeating, recordResponse } from '../delivery/attempt.ts'
import type { Sender } from '../delivery/delivery.ts'
import type { ReceiverSettings } from '../settings/receiver-settings.ts'

type Exporter = typeof import('@opentelemetry/exporter-trace-otlp-proto').OTLPTraceExporter
type Compression = NonNullable<NonNullable<ConstructorParameters<Exporter>[0]>['compression']>

/** Options of an OpenTelemetry exporter. */
interface ExporterOptions {
  readonly url: string
  readonly headers: Record<string, string>
  /** A member of a string enum, which is loaded on use only. */
  readonly compression: Compression
  readonly timeoutMillis: number
  readonly httpAgentOptions: ReceiverAgent['create']
  readonly userAgent: string
}

export function exporterOptions(
  { url, headers, compression, timeoutMilliseconds }: ReceiverSettings,
  agent: ReceiverAgent,
): ExporterOptions {
  return {
    url,
    headers: { ...headers },
    compression: compression as Compression,
    // Longer than any attempt, whose timeout the agent enforces.
    timeoutMillis: timeoutMilliseconds + 5_000,
    httpAgentOptions: agent.create,
    userAgent: 'upkeep',
  }
}

/** An OpenTelemetry exporter of spans or metrics. */
interface OfficialExporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void
}

/** Sends items with an exporter; their outcome is that of the request of its agent. */
export function officialSender<T>(exporter: OfficialExporter<T>, agent: ReceiverAgent): Sender<T> {
  return {
    send(items, timeoutMilliseconds) {
      agent.begin(timeoutMilliseconds)
      const { attempt } = agent
      return new Promise((resolve) => {
        const fail = (cause: unknown) => resolve(isSuccess(attempt) ? attempt : { ...attempt, cause })
        try {
          exporter.export(items, ({ code, error }) => {
            // A response that starts as a success but does not complete counts as a success.
            if (code === 0) resolve({ ...createAttempt(), ...attempt, status: attempt.status ?? 200 })
            else fail(error)
          })
        } catch (error) {
          fail(error)
        }
      })
    },
    abort: agent.abort,
  }
}

/**
 * The connections to one receiver, one request at a time. Exporters report neither the status of a failure nor
 * `Retry-After` nor a partial success, and retry with timers that keep the process alive. So each request is observed
 * where it is assigned a connection, and retryable statuses are replaced by a final one.
 */
export interface ReceiverAgent {
  /** Creates the option `httpAgentOptions` of an exporter. */
  readonly create: (protocol: string) => Agent
  /** The outcome of the last request. */
  readonly attempt: Attempt
  /** Starts a new attempt with this timeout for its request. */
  begin(timeoutMilliseconds: number): void
  /** Ends the current request and closes all connections. */
  abort(): void
}

/** `secrets` are removed from the text of responses. */
export function createReceiverAgent(
  options: SecureAgentOptions,
  clock: Clock,
  secrets: readonly string[] = [],
): ReceiverAgent {
  let attempt = createAttempt()
  let timeout = 0
  let current: ClientRequest | undefined
  let agent: Agent | undefined
  let isAborted = false

  function watch(request: ClientRequest): void {
    const own = attempt
    current = request
    // The request may still be in creation; its listeners are attached by the next turn.
    if (isAborted) process.nextTick(() => request.destroy(ended()))
    const timer = setTimeout(() => {
      own.errorCode ??= 'TIMEOUT'
      request.destroy(failure('UPKEEP_EDELIVERY', 'The receiver did not respond in time'))
    }, timeout)
    timer.unref()
    // Before the listeners of the exporter, which are already attached to the response.
    request.prependListener('response', (response: IncomingMessage) => {
      recordResponse(own, response, clock.wallTime(), secrets)
      if (isWorthRepeating(own)) response.statusCode = finalStatus
    })
    request.prependListener('error', (error: NodeJS.ErrnoException) => {
      own.errorCode ??= error.code ?? error.name
      Object.defineProperty(error, 'code', { value: undefined })
    })
    request.once('close', () => {
      clearTimeout(timer)
      if (current === request) current = undefined
    })
  }

  return {
    create(protocol) {
      const { ca: _ca, cert: _cert, key: _key, ...insecure } = options
      agent = watched(protocol === 'http:' ? new Agent(insecure) : new SecureAgent(options), watch)
      return agent
    },
    get attempt() {
      return attempt
    },
    begin(timeoutMilliseconds) {
      attempt = createAttempt()
      timeout = timeoutMilliseconds
    },
    abort() {
      isAborted = true
      attempt.errorCode ??= 'ABORTED'
      current?.destroy(ended())
      agent?.destroy()
    },
  }
}

function ended(): Error {
  return failure('UPKEEP_EDELIVERY', 'The export was cancelled')
}

/** No exporter retries a request with this status. */
const finalStatus = 599

type AddRequest = (request: ClientRequest, options: object) => void

/**
 * Lets `watch` see each request that Node assigns to an agent, by the method that npm agents override. It is absent
 * from the types.
 */
function watched(agent: Agent, watch: (request: ClientRequest) => void): Agent {
  const { addRequest } = agent as Agent & { readonly addRequest: AddRequest }
  return Object.assign(agent, {
    [untraced]: true,
    addRequest(request: ClientRequest, options: object): void {
      watch(request)
      addRequest.call(agent, request, options)
    },
  })
}
