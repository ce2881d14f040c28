import type { Server } from 'node:net'
import { constants } from 'node:os'
import { announce } from '../../base/announce.ts'
import { systemClock } from '../../base/clock.ts'
import { contain, type Report, reportToConsole } from '../../base/report.ts'
import { wait } from '../../base/timers.ts'
import type { Availability } from '../availability.ts'
import { handlePrimaryRequests, leavePrimary, outlivePrimary } from './cluster-worker.ts'
import { createDrain, type Drain } from './drain.ts'
import { type PlannedStep, planShutdown, runStep, type ShutdownOptions, type ShutdownStep } from './shutdown-plan.ts'
import { isDevelopment, onSignals } from './signals.ts'

/** The members of a management that a shutdown uses. */
export interface ManagedApplication {
  /** Becomes `REFUSING_TRAFFIC` permanently when the shutdown begins. */
  readonly availability: Availability
  /** Called when a step has ended. @default console.error */
  readonly report?: Report | undefined
  /** Called when the drain begins. */
  readonly endStreams?: (() => void) | undefined
  /** Registers a function that starts the shutdown when the endpoint `shutdown` is called. */
  readonly onShutdownRequest?: ((start: (reason: string) => unknown) => () => void) | undefined
}

/** A shutdown that is prepared, active or finished. */
export interface GracefulShutdown {
  /**
   * Starts it as a signal would; `'immediately'` without the delay, and idle connections are closed at once. Resolves
   * with the outcome of each step, right before the exit. Never rejects.
   */
  shutdown(reason?: string, start?: 'delayed' | 'immediately'): Promise<readonly ShutdownStep[]>
  /** Resolves like `shutdown()`, also if a signal starts it. */
  readonly finished: Promise<readonly ShutdownStep[]>
  /**
   * Aborts when the delay is over and the drain begins: streams of your own that have no end, such as events, must end.
   */
  readonly draining: AbortSignal
  /** Restores the default effect of the signals and detaches from the server. An active shutdown continues. */
  remove(): void
}

/**
 * Shuts down on a signal without losing requests:
 *
 * 1. Readiness becomes 503 permanently. Liveness does not change. Requests are served during `delay`.
 * 2. Each response is the last one on its connection, and idle connections are closed. Active requests finish.
 * 3. Hooks run, then `flush`, then the process exits.
 *
 * Each step has a timeout, and is reported. A second signal exits immediately. On Ctrl-C in a terminal and under `node
 * --watch` there is no delay, and idle connections are closed immediately. Accepts one or several servers of node:http,
 * node:https and node:http2, with any framework; none in the primary of `node:cluster`.
 *
 * A worker of `node:cluster` disconnects from its primary before it exits, finishes its requests if the primary exits
 * first, and shuts down when `reloadWorkers` or `stopWorkers` of `upkeep/cluster` request it.
 *
 * @throws RangeError if a duration is malformed; the message contains its option.
 */
export function shutdownGracefully(
  server: Server | readonly Server[],
  { availability, report: inherited = reportToConsole, endStreams = () => {}, onShutdownRequest }: ManagedApplication,
  options: ShutdownOptions = {},
): GracefulShutdown {
  const { signals = ['SIGTERM', 'SIGINT'], clock = systemClock } = options
  const report = contain(options.report ?? inherited)
  const { exit = (code: number) => process.exit(code) } = options
  const { delayMilliseconds, timeoutMilliseconds, hooks, maxMilliseconds } = planShutdown(options)
  announce('upkeep:shutdown', () => ({ milliseconds: delayMilliseconds + maxMilliseconds }))
  const servers = [server].flat()
  const drains = servers.map((each) => createDrain(each, clock))
  const draining = new AbortController()
  let isStarted = false
  let finish: (steps: Promise<readonly ShutdownStep[]>) => void
  const finished = new Promise<readonly ShutdownStep[]>((resolve) => {
    finish = resolve
  })

  async function shutDown(reason: string, start: ShutdownStart): Promise<readonly ShutdownStep[]> {
    const delay = start === 'delayed' ? delayMilliseconds : 0
    const idle = start === 'immediately' ? 0 : Math.min(idleMilliseconds, timeoutMilliseconds / 2)
    availability.beginShutdown(reason)
    outlivePrimary()
    const total = delay + maxMilliseconds
    report(`shutting down (${reason}): serves for ${delay}ms, exits within ${total}ms`)
    await wait(delay)
    report(`shutdown: delay done after ${delay}ms`)
    draining.abort()
    endStreams()
    const steps: ShutdownStep[] = []
    for (const step of [finishRequests(drains, timeoutMilliseconds, idle), ...hooks]) {
      steps.push(await runStep(step, clock, report))
    }
    await leavePrimary()
    setImmediate(leave)
    return steps
  }

  function leave(): void {
    stopListening()
    for (const drain of drains) drain.release()
    exit(Number(process.exitCode ?? 0))
  }

  function begin(reason: string, start: ShutdownStart): Promise<readonly ShutdownStep[]> {
    if (!isStarted) {
      isStarted = true
      finish(shutDown(reason, start))
    }
    return finished
  }

  function force(signal: NodeJS.Signals): void {
    report(`shutdown: forced by ${signal}`)
    exit(128 + constants.signals[signal])
  }

  const first = (signal: NodeJS.Signals): void => void begin(signal, isDevelopment(signal) ? 'immediately' : 'delayed')
  const endSignals = onSignals(signals, { first, second: force }, clock)
  const endRequests = onShutdownRequest?.((reason) => void begin(reason, 'delayed'))
  const endPrimaryRequests = handlePrimaryRequests({ servers, availability, begin })
  const stopListening = (): void => {
    endSignals()
    endRequests?.()
    endPrimaryRequests()
  }

  return {
    shutdown: (reason = 'requested', start = 'delayed') => begin(reason, start),
    finished,
    draining: draining.signal,
    remove() {
      stopListening()
      if (!isStarted) for (const drain of drains) drain.release()
    },
  }
}

/** Without delay, other workers take over; `'immediately'`, as in development, idle connections are closed as well. */
type ShutdownStart = 'delayed' | 'without delay' | 'immediately'

/** How long a connection may be idle before it is closed. Its client may be sending a request. */
const idleMilliseconds = 1_000

function finishRequests(drains: readonly Drain[], timeoutMilliseconds: number, idle: number): PlannedStep {
  return {
    name: 'requests',
    run: () => Promise.all(drains.map((drain) => drain.begin(idle))),
    timeoutMilliseconds,
    force: () => `connections closed: ${drains.reduce((count, drain) => count + drain.destroy(), 0)}`,
  }
}
