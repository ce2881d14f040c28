import type { Clock } from '../../base/clock.ts'
import type { Duration } from '../../base/duration.ts'
import type { Report } from '../../base/report.ts'

/** Something to be done while the application shuts down. */
export interface ShutdownHook {
  readonly name: string
  /** May take its time until `signal` aborts. Throwing or rejecting is reported, and holds nothing up. */
  readonly run: (signal: AbortSignal) => unknown
  /** How long it is waited for. @default '5s', and '2s' to flush */
  readonly timeout?: Duration | undefined
}

export interface ShutdownOptions {
  /** @default ['SIGTERM', 'SIGINT'] */
  readonly signals?: readonly NodeJS.Signals[] | undefined
  /**
   * How long requests are served as ever while the readiness probe says 503: longer than whatever asks it takes to send
   * no more, such as interval × threshold. Left out on Ctrl-C in a terminal and under `node --watch`. @default '5s'
   */
  readonly delay?: Duration | undefined
  /** How long after that requests that are still being answered may take before their connections are cut. @default '10s' */
  readonly timeout?: Duration | undefined
  /** Run one after another when the last request is answered: pools to close, consumers to stop. */
  readonly hooks?: readonly (ShutdownHook | ShutdownHook['run'])[] | undefined
  /** Run one after another at the very end: telemetry to send, that of the hooks included. */
  readonly flush?: readonly (ShutdownHook | ShutdownHook['run'])[] | undefined
  /** Called with each step as it ends. @default that of the management */
  readonly report?: Report | undefined
  /** Ends the process: with `process.exitCode`, or 0; with 128 + its number after a second signal. @default process.exit */
  readonly exit?: ((code: number) => void) | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}
