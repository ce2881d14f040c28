import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { Report } from '../report.ts'
import { type ClientRequest, createClientRequests } from './client-requests.ts'
import { type InstrumentOptions, instrument } from './instruments/instrument.ts'
import { attach, type ObservedRequest, type RequestObserver, requestOf, watchEnd } from './observed-request.ts'
import { aborted } from './outcome.ts'
import { RequestTimers } from './request-timers.ts'
import { uriOf } from './request-uri.ts'

/** What the application's own requests are observed by. */
export interface Observation {
  /**
   * Observes the request of a response until it is closed: the timer `http.server.requests` with the tags `uri`, `method`,
   * `status`, `outcome` and `exception`, and the gauge `http.server.requests.active`. A second call does nothing.
   *
   * `route` tells the route's template from `source`, and is called when the response is closed; `undefined` where it
   * knows of none, so that `uri` becomes `NOT_FOUND`, `REDIRECTION` or `UNKNOWN`.
   */
  begin<S>(response: ServerResponse, source: S, route: (source: S) => string | undefined): void
  /** Says that the management answers this request, which is no request to the application. */
  answeredByManagement(response: ServerResponse): void
  /** Takes a request that the application made into the timer `http.client.requests`. */
  recordClientRequest(request: ClientRequest): void
  /**
   * Traces what libraries do, by the diagnostics channels that they have: outgoing requests of `fetch`, undici, node:http
   * and node:https, which are also timed in `http.client.requests`, and queries of mysql2, ioredis, node-redis, mongoose and
   * mssql. Ends with the function that it answers, and when the management is closed.
   *
   * @throws TypeError naming the option that is not what it may be.
   */
  instrument(options?: InstrumentOptions): () => void
}

/** An observation, for who has to end it. */
export interface ClosableObservation extends Observation {
  /** Ends all instruments. */
  close(): void
}

export interface ObservationOptions {
  /** Whether requests to the management count as requests to the application. @default false */
  readonly managementRequests?: boolean | undefined
}

/** What an observation is put together from. */
export interface ObservationParts {
  readonly meters: MeterRegistry
  readonly clock: Clock
  readonly report: Report
  /** The `uri` of the management's own requests; `undefined` when they are not observed. */
  readonly managementUri: string | undefined
}

/** An application that does not observe its requests has no meters of them: they are made with the first. */
export function createObservation(parts: ObservationParts): ClosableObservation {
  const instruments = new Set<() => void>()
  const record = createClientRequests(parts.meters)
  let requests: ServerRequests | undefined
  return {
    begin(response, source, route) {
      requests ??= new ServerRequests(parts)
      requests.begin(response, source, route)
    },
    answeredByManagement: (response) => requests?.leaveToManagement(response),
    recordClientRequest: record,
    instrument(options = {}) {
      const stop = instrument(options, { ...parts, record })
      const end = () => {
        instruments.delete(end)
        stop()
      }
      instruments.add(end)
      return end
    },
    close() {
      for (const end of instruments) end()
    },
  }
}

function timersOf(meters: MeterRegistry) {
  return meters.timers('http.server.requests', ['uri', 'method', 'status', 'outcome', 'exception'], {
    description: 'Requests to the application',
  })
}

class ServerRequests implements RequestObserver {
  readonly #parts: ObservationParts
  readonly #timers: RequestTimers
  #active = 0
  #hasBegun = false
  #hasReported = false

  constructor(parts: ObservationParts) {
    this.#parts = parts
    // Not before there is a series: an application that is not observed has no such meter.
    this.#timers = new RequestTimers((...tags) => timersOf(parts.meters).with(...tags))
  }

  begin<S>(response: ServerResponse, source: S, route: (source: S) => string | undefined): void {
    if (!attach(this, response, this.#parts.clock.monotonicTime(), source, route)) return
    this.#active += 1
    if (!this.#hasBegun) this.#showActive()
    if (response.socket === null) watchEnd(response)
  }

  /** An application that is not observed has no such gauge. */
  #showActive(): void {
    this.#hasBegun = true
    this.#parts.meters.gauge('http.server.requests.active', {}, () => this.#active, {
      description: 'Requests to the application that are going on',
    })
  }

  leaveToManagement(response: ServerResponse): void {
    const request = requestOf(this, response)
    if (request === undefined || request.isDisregarded) return
    request.template = this.#parts.managementUri
    if (request.template !== undefined) return
    request.isDisregarded = true
    this.#active -= 1
  }

  end(request: ObservedRequest, response: ServerResponse): void {
    if (request.isDisregarded) return
    this.#active -= 1
    const seconds = (this.#parts.clock.monotonicTime() - request.startedAt) / 1_000
    const status = response.writableFinished ? response.statusCode : aborted
    const uri = uriOf(request.template ?? this.#templateOf(request), status)
    this.#timers.record(uri, response.req.method ?? 'GET', status, request.exception, seconds)
  }

  #templateOf({ route, source }: ObservedRequest): string | undefined {
    try {
      return route(source as never)
    } catch (error) {
      if (!this.#hasReported)
        this.#parts.report("The route of a request could not be told, its uri is 'UNKNOWN'", error)
      this.#hasReported = true
      return undefined
    }
  }
}
