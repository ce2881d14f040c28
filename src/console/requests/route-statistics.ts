import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import { uriOf } from '../../instrumentation/request-tags.ts'
import type { RouteFacts } from '../documents.ts'
import { Latencies, latenciesBytes } from '../vitals/latencies.ts'
import { isFailure } from '../vitals/request-vitals.ts'
import { minimumRequests, type RouteMinute, RouteMinutes, routeMinutesBytes } from './route-minutes.ts'

/** The length of a window, in milliseconds. */
const windowMilliseconds = 60_000

/** The estimated memory of a route, in bytes. */
const routeBytes = 2 * (latenciesBytes + 64) + routeMinutesBytes + 400

interface Window {
  readonly latencies: Latencies
  errors: number
}

/** The requests of one method and route, in the current window and the one before. */
class Route {
  readonly method: string
  readonly route: string
  current: Window = { latencies: new Latencies(), errors: 0 }
  previous: Window = { latencies: new Latencies(), errors: 0 }
  readonly minutes: RouteMinutes = new RouteMinutes()
  /** The number of the current window. */
  window: number
  total = 0
  endedAt = 0

  constructor(method: string, route: string, window: number) {
    this.method = method
    this.route = route
    this.window = window
  }

  /** Begins a window: the current one becomes the previous one. */
  turnTo(window: number): void {
    if (window === this.window) return
    const { current, previous } = this
    this.minutes.add(this.window, current.latencies.count, current.errors, current.latencies.quantile(0.99))
    clear(previous)
    if (window === this.window + 1) {
      this.previous = current
      this.current = previous
    } else clear(current)
    this.window = window
  }
}

function clear(window: Window): void {
  window.latencies.clear()
  window.errors = 0
}

/** The requests of a route in the last one to two minutes, beside its minutes before. */
export interface RouteWindow {
  readonly method: string
  readonly route: string
  readonly requests: number
  readonly errors: number
  readonly latencies: Latencies
  /** Complete minutes with enough requests, the oldest first: the last one may be a part of the window. */
  readonly minutes: readonly RouteMinute[]
}

/** What requests took by method and route, in the last one to two minutes. */
export class RouteStatistics {
  readonly #maximumRoutes: number
  readonly #routes = new Map<string, Map<string, Route>>()
  #size = 0
  #refused = 0

  constructor(maximumBytes: number) {
    this.#maximumRoutes = Math.floor(maximumBytes / routeBytes)
  }

  get bytes(): number {
    return this.#size * routeBytes
  }

  /** How many requests were to routes that are not kept, because of the budget. */
  get refused(): number {
    return this.#refused
  }

  record(request: EndedRequest): void {
    const route = this.#find(request)
    if (route === undefined) {
      this.#refused += 1
      return
    }
    route.turnTo(windowOf(request.endedAt))
    route.current.latencies.record(request.seconds)
    if (isFailure(request)) route.current.errors += 1
    route.total += 1
    route.endedAt = request.endedAt
  }

  /** `now` is in milliseconds of monotonic time, `timeOrigin` the wall time at its 0. */
  read(now: number, timeOrigin: number): { readonly windowSeconds: number; readonly routes: readonly RouteFacts[] } {
    const window = windowOf(now)
    const first = Math.max(0, (window - 1) * windowMilliseconds)
    const windowSeconds = Math.max(1, (now - first) / 1_000)
    const routes = [...this.#routes.values()].flatMap((byTemplate) => [...byTemplate.values()])
    return { windowSeconds, routes: routes.map((route) => show(route, window, windowSeconds, timeOrigin)) }
  }

  /**
   * Returns the routes that have enough requests, of which at least one took `seconds` or some failed: those with the
   * most failures and the longest requests first, `limit` at most. Of other routes it reads three fields only.
   */
  suspects(now: number, { seconds, limit }: { seconds: number; limit: number }): readonly RouteWindow[] {
    const window = windowOf(now)
    const found: Route[] = []
    for (const byTemplate of this.#routes.values()) {
      for (const route of byTemplate.values()) if (isSuspect(route, window, seconds)) found.push(route)
    }
    return found
      .sort((one, other) => weightOf(other) - weightOf(one) || (one.route < other.route ? -1 : 1))
      .slice(0, limit)
      .map(windowOfRoute)
  }

  #find({ method, template, status }: EndedRequest): Route | undefined {
    const name = uriOf(template, status)
    const known = this.#routes.get(method)?.get(name)
    if (known !== undefined) return known
    // What a client sends must not decide how many routes there are.
    const shown = isKnownMethod(method) ? method : 'UNKNOWN'
    const routes = this.#routes.get(shown) ?? new Map<string, Route>()
    this.#routes.set(shown, routes)
    const found = routes.get(name)
    if (found !== undefined) return found
    if (this.#size >= this.#maximumRoutes) return undefined
    this.#size += 1
    const route = new Route(shown, name, 0)
    routes.set(name, route)
    return route
  }
}

/** Returns the number of a minute by monotonic time in milliseconds. */
export function windowOf(monotonicTime: number): number {
  return Math.floor(monotonicTime / windowMilliseconds)
}

function isSuspect(route: Route, window: number, seconds: number): boolean {
  route.turnTo(window)
  const { current, previous } = route
  if (current.latencies.count + previous.latencies.count < minimumRequests) return false
  if (current.errors + previous.errors > 0) return true
  return Math.max(current.latencies.maximum ?? 0, previous.latencies.maximum ?? 0) >= seconds
}

function weightOf({ current, previous }: Route): number {
  return current.errors + previous.errors + (current.latencies.maximum ?? 0) + (previous.latencies.maximum ?? 0)
}

function windowOfRoute({ method, route, current, previous, minutes }: Route): RouteWindow {
  const latencies = new Latencies()
  latencies.add(previous.latencies)
  latencies.add(current.latencies)
  const errors = current.errors + previous.errors
  return { method, route, requests: latencies.count, errors, latencies, minutes: minutes.read() }
}

function show(route: Route, window: number, windowSeconds: number, timeOrigin: number): RouteFacts {
  route.turnTo(window)
  const { current, previous, method, total } = route
  const latencies = new Latencies()
  latencies.add(previous.latencies)
  latencies.add(current.latencies)
  return {
    method,
    route: route.route,
    rate: latencies.count / windowSeconds,
    requests: latencies.count,
    errors: current.errors + previous.errors,
    p50: latencies.quantile(0.5),
    p95: latencies.quantile(0.95),
    p99: latencies.quantile(0.99),
    usualP99: route.minutes.usualP99,
    maximum: latencies.maximum,
    total,
    lastAt: timeOrigin + route.endedAt,
  }
}
