import type { Duration } from '../base/duration.ts'
import type { Status } from './status.ts'

/** The health of a component. */
export interface Health {
  readonly status: Status
  /** A sentence that explains an application's own status. */
  readonly description?: string | undefined
  /** Information for operators, as JSON values. Shown only to callers who may see details. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Checks a component. Returns a status (`'UP'`) or a {@link Health}; throwing or rejecting means `DOWN`. `signal`
 * aborts when the check times out.
 */
export interface HealthCheck {
  (signal: AbortSignal): string | Health | Promise<string | Health>
  /** Called when the management is closed, to release resources that the check holds between calls. */
  readonly close?: (() => void) | undefined
  /** Whether it requests another system, on which liveness must not depend. Read by `upkeep doctor`. @default false */
  readonly isRemote?: boolean | undefined
}

/** A check with options. */
export interface CheckedIndicator {
  readonly check: HealthCheck
  /** How long the check may take before its component is reported `DOWN`. @default '5s' */
  readonly timeout?: Duration | undefined
  /** How long a result is cached; `'0ms'` disables caching. @default '1s' */
  readonly cache?: Duration | undefined
  /**
   * Runs the check in the background, this long after each result, so that probes return immediately. Cannot be
   * combined with `cache`. @default the check runs on request
   */
  readonly refresh?: Duration | undefined
  /**
   * The maximum age of the latest result with `refresh`; the component is `DOWN` if it is older.
   * @default 3 × (`refresh` + `timeout`)
   */
  readonly staleAfter?: Duration | undefined
  /** Failures that are tolerated before the component is reported `DOWN`. @default none */
  readonly tolerate?: Tolerance | undefined
}

/** How many failures, or for how long, are tolerated before a component is reported `DOWN`; the lower limit applies. */
export interface Tolerance {
  /** Consecutive failures that are tolerated. */
  readonly failures?: number | undefined
  /** How long failures are tolerated, from the first one on. */
  readonly for?: Duration | undefined
}

/** A component whose health is read synchronously each time, and never cached. */
export interface StateIndicator {
  readonly state: () => string | Health
}

/** A component that consists of other components. */
export interface CompositeIndicator {
  readonly indicators: Indicators
}

/** One component: a check, a check with options, a state, or a composite of components. */
export type Indicator = HealthCheck | CheckedIndicator | StateIndicator | CompositeIndicator

/** Indicators by component name. */
export interface Indicators {
  readonly [name: string]: Indicator
}

/** Creates a component that consists of others, such as a database of its primary and its replicas. */
export function composite(indicators: Indicators): CompositeIndicator {
  return { indicators }
}
