import type { Server } from 'node:net'
import { constants } from 'node:os'
import { systemClock } from '../../base/clock.ts'
import { contain, type Report, reportToConsole } from '../../base/report.ts'
import type { Availability } from '../availability.ts'
import { isDevelopment } from '../development.ts'
import { wait } from './bounded.ts'
import { createDrain, type Drain } from './drain.ts'
import type { ShutdownOptions } from './shutdown-options.ts'
import { planShutdown } from './shutdown-plan.ts'
import { type PlannedStep, type ShutdownStep, takeStep } from './shutdown-step.ts'
import { onSignals } from './signals.ts'

/** The members of a management that a shutdown uses. */
export interface ManagedApplication {
  readonly availability: Availability
  readonly report?: Report | undefined
  /** Called when the drain begins. */
  readonly endStreams?: (() => void) | undefined
}

/** A shutdown that is prepared, under way or over. */
export interface GracefulShutdown {
  /** Starts it as a signal would. Resolves, right before the exit, with each step and how it went; never rejects. */
  shutdown(reason?: string): Promise<readonly ShutdownStep[]>
  /** What `shutdown()` answers, whoever starts it. */
  readonly finished: Promise<readonly ShutdownStep[]>
  /** Aborts when the delay is over and the drain begins: streams of your own that have no end, such as events, must end. */
  readonly draining: AbortSignal
  /** Gives the signals back their usual effect and lets go of the server. A shutdown that is under way goes on. */
  remove(): void
}

/**
 * Shuts down at a signal without losing a request. Readiness is down at once and for good, liveness stays as it is;
 * requests are served as ever during the delay; then each answer is its connection's last, idle connections are closed,
 * and what is being answered is finished; hooks run; telemetry is flushed; the process exits. Each step is bounded, and
 * reported. A second signal ends the process at once. On Ctrl-C in a terminal and under `node --watch` there is no delay, and
 * idle connections are closed at once.
 *
 * Takes any server of node:http, node:https and node:http2, or several, whatever framework answers behind it.
 *
 * @throws RangeError naming the duration that is none.
 */
export function shutdownGracefully(
  server: Server | readonly Server[],
  { availability, report: inherited = reportToConsole, endStreams = () => {} }: ManagedApplication,
  options: ShutdownOptions = {},
): GracefulShutdown {
  const { signals = ['SIGTERM', 'SIGINT'], clock = systemClock } = options
  const report = contain(options.report ?? inherited)
  const { exit = (code: number) => process.exit(code) } = options
  const { delayMilliseconds, timeoutMilliseconds, hooks, longestMilliseconds } = planShutdown(options)
  const drains = [server].flat().map((each) => createDrain(each, clock))
  const draining = new AbortController()
  let underWay = false
  let finish: (steps: Promise<readonly ShutdownStep[]>) => void
  const finished = new Promise<readonly ShutdownStep[]>((resolve) => {
    finish = resolve
  })

  async function shutDown(reason: string, isAwaited: boolean): Promise<readonly ShutdownStep[]> {
    const [delay, idle] = isAwaited ? [0, 0] : [delayMilliseconds, Math.min(idleMilliseconds, timeoutMilliseconds / 2)]
    availability.beginShutdown(reason)
    const longest = delay + longestMilliseconds
    report(`shutting down (${reason}): serves for ${delay}ms, exits within ${longest}ms`)
    await wait(delay)
    report(`shutdown: delay done after ${delay}ms`)
    draining.abort()
    endStreams()
    const taken: ShutdownStep[] = []
    for (const step of [finishRequests(drains, timeoutMilliseconds, idle), ...hooks])
      taken.push(await takeStep(step, clock, report))
    setImmediate(leave)
    return taken
  }

  function leave(): void {
    forgetSignals()
    for (const drain of drains) drain.release()
    exit(Number(process.exitCode ?? 0))
  }

  function begin(reason: string, isAwaited: boolean): Promise<readonly ShutdownStep[]> {
    if (!underWay) {
      underWay = true
      finish(shutDown(reason, isAwaited))
    }
    return finished
  }

  function force(signal: NodeJS.Signals): void {
    report(`shutdown: forced by ${signal}`)
    exit(128 + constants.signals[signal])
  }

  const first = (signal: NodeJS.Signals): void => void begin(signal, isDevelopment(signal))
  const forgetSignals = onSignals(signals, { first, second: force }, clock)

  return {
    shutdown: (reason = 'asked for') => begin(reason, false),
    finished,
    draining: draining.signal,
    remove() {
      forgetSignals()
      if (!underWay) for (const drain of drains) drain.release()
    },
  }
}

/** How long a connection may be idle before it is closed: its client may be sending a request. */
const idleMilliseconds = 1_000

function finishRequests(drains: readonly Drain[], timeoutMilliseconds: number, idle: number): PlannedStep {
  return {
    name: 'requests',
    run: () => Promise.all(drains.map((drain) => drain.begin(idle))),
    timeoutMilliseconds,
    force: () => `connections cut: ${drains.reduce((count, drain) => count + drain.cut(), 0)}`,
  }
}
