import type { Clock } from '../../base/clock.ts'
import { runBounded } from '../../base/deadline.ts'
import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { Report } from '../../base/report.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'

/** Work to be done while the application shuts down. */
export interface ShutdownHook {
  readonly name: string
  /** May run until `signal` aborts. An error is reported, and the shutdown continues. */
  readonly run: (signal: AbortSignal) => unknown
  /** How long the shutdown waits for it. @default '5s', and '2s' for `flush` */
  readonly timeout?: Duration | undefined
}

/** Options of `shutdownGracefully`. */
export interface ShutdownOptions {
  /** @default ['SIGTERM', 'SIGINT'] */
  readonly signals?: readonly NodeJS.Signals[] | undefined
  /**
   * How long requests are still served while the readiness probe responds with 503: longer than load balancers need to
   * notice, such as interval × threshold. Skipped on Ctrl-C in a terminal and under `node --watch`. @default '5s'
   */
  readonly delay?: Duration | undefined
  /** How long active requests may take after the delay, before their connections are closed. @default '10s' */
  readonly timeout?: Duration | undefined
  /** Run one after another after the last request, such as to close pools and stop consumers. */
  readonly hooks?: readonly (ShutdownHook | ShutdownHook['run'])[] | undefined
  /** Run one after another at the end, such as to send telemetry, including that of the hooks. */
  readonly flush?: readonly (ShutdownHook | ShutdownHook['run'])[] | undefined
  /** Called when a step has ended. @default that of the management */
  readonly report?: Report | undefined
  /** Called with `process.exitCode`, or 0; after a second signal with 128 + its number. @default process.exit */
  readonly exit?: ((code: number) => void) | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  onSignal: 'hooks',
  onShutdown: 'hooks',
  preShutdown: 'hooks',
  cleanup: 'hooks',
  handlers: 'hooks',
  shutdownHandlers: 'hooks',
  finally: 'flush',
  beforeShutdown: 'delay',
  shutdownDelay: 'delay',
  gracePeriod: 'timeout',
  shutdownTimeout: 'timeout',
  gracefulShutdownTimeout: 'timeout',
  shutdownHandlerTimeout: 'write hooks: [{ name, run, timeout }]',
  terminate: 'exit',
  forceExit: 'exit',
  logger: 'report',
  healthChecks: 'write health: { indicators } in the options of createManagement',
}

/** A step of a shutdown that has not started yet. */
export interface PlannedStep {
  readonly name: string
  readonly run: (signal: AbortSignal) => unknown
  /** How long the shutdown waits for it. */
  readonly timeoutMilliseconds: number
  /** Ends what is not done in time, and returns a description of it. */
  readonly force?: () => string
}

/** The steps and durations of a shutdown. */
interface ShutdownPlan {
  /** How long requests are still served. */
  readonly delayMilliseconds: number
  /** How long active requests may take after that. */
  readonly timeoutMilliseconds: number
  /** The steps after the requests, in order. */
  readonly hooks: readonly PlannedStep[]
  /** The maximum duration of all steps, without the delay. */
  readonly maxMilliseconds: number
}

/**
 * Reads the options of a shutdown. Later changes of the options have no effect.
 *
 * @throws RangeError if a duration is malformed; the message contains its option.
 */
export function planShutdown(options: ShutdownOptions): ShutdownPlan {
  requireKnownOptions(
    'shutdownGracefully',
    options,
    ['signals', 'delay', 'timeout', 'hooks', 'flush', 'report', 'exit', 'clock'],
    { foreignNames },
  )
  const { delay = '5s', timeout = '10s', hooks = [], flush = [] } = options
  const delayMilliseconds = durationMilliseconds(delay, 'shutdownGracefully: delay')
  const timeoutMilliseconds = durationMilliseconds(timeout, 'shutdownGracefully: timeout')
  const planned = [
    ...hooks.map((hook, at) => planHook(hook, { option: `hooks[${at}]`, name: `hook ${at + 1}`, timeout: '5s' })),
    ...flush.map((hook, at) => planHook(hook, { option: `flush[${at}]`, name: `flush ${at + 1}`, timeout: '2s' })),
  ]
  const maxMilliseconds = planned.reduce((sum, step) => sum + step.timeoutMilliseconds, timeoutMilliseconds)
  return { delayMilliseconds, timeoutMilliseconds, hooks: planned, maxMilliseconds }
}

interface HookDefaults {
  readonly option: string
  readonly name: string
  readonly timeout: Duration
}

function planHook(hook: ShutdownHook | ShutdownHook['run'], defaults: HookDefaults): PlannedStep {
  const { name, run, timeout = defaults.timeout } = typeof hook === 'function' ? { name: hook.name, run: hook } : hook
  const option = `shutdownGracefully: ${defaults.option}.timeout`
  return { name: name || defaults.name, run, timeoutMilliseconds: durationMilliseconds(timeout, option) }
}

/** The outcome of a step of a shutdown, and its duration. */
export type ShutdownStep = { readonly name: string; readonly milliseconds: number } & (
  | { readonly outcome: 'done' | 'timed out' }
  | { readonly outcome: 'failed'; readonly error: unknown }
)

/** Runs a step, up to its timeout, and reports its outcome. Never rejects. */
export async function runStep(step: PlannedStep, clock: Clock, report: Report): Promise<ShutdownStep> {
  const start = clock.monotonicTime()
  const outcome = await runBounded(step.run, step.timeoutMilliseconds)
  const result = { ...outcome, name: step.name, milliseconds: clock.monotonicTime() - start }
  const after = `after ${Math.round(result.milliseconds)}ms`
  switch (result.outcome) {
    case 'done':
      report(`shutdown: ${step.name} done ${after}`)
      break
    case 'timed out':
      report(`shutdown: ${step.name} not done ${after}, ${step.force?.() ?? 'continuing'}`)
      break
    case 'failed':
      report(`shutdown: ${step.name} failed ${after}`, result.error)
  }
  return result
}
