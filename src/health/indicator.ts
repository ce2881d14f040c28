import type { Duration } from '../base/duration.ts'
import type { Status } from './status.ts'

/** What a check found out about its component. */
export interface Health {
  readonly status: Status
  /** A sentence for an application's own status. */
  readonly description?: string | undefined
  /** What an operator needs to know; JSON values. Shown only to those who may see details. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Asks a component how it is. Answers a status (`'UP'`) or a {@link Health}; throwing or rejecting means `DOWN`.
 * `signal` aborts when the deadline passes.
 */
export interface HealthCheck {
  (signal: AbortSignal): string | Health | Promise<string | Health>
  /** Called when the management is closed, to end what the check keeps going between two calls. */
  readonly close?: (() => void) | undefined
}

/** A check and how it is run. */
export interface CheckedIndicator {
  readonly check: HealthCheck
  /** How long the check may take before its component counts as `DOWN`. @default '5s' */
  readonly timeout?: Duration | undefined
  /** How long a result is served again before the check is run anew; `'0ms'` for not at all. @default '1s' */
  readonly cache?: Duration | undefined
  /**
   * Runs the check in the background, this long after each of its answers, so that a probe is answered at once from the
   * latest; in place of `cache`. @default only when somebody asks
   */
  readonly refresh?: Duration | undefined
  /**
   * How old the latest result of the background may be; an older one makes the component `DOWN`, with the reason.
   * @default three times `refresh` and `timeout` together
   */
  readonly staleAfter?: Duration | undefined
  /** Failures that leave the component as it was. @default none */
  readonly tolerate?: Tolerance | undefined
}

/** How long a component may be `DOWN` before it counts as `DOWN`; of both, whichever is over first. */
export interface Tolerance {
  /** How many failures in a row. */
  readonly failures?: number | undefined
  /** How long since the first of them. */
  readonly for?: Duration | undefined
}

/** A component whose health is known without asking: read each time, never cached. */
export interface StateIndicator {
  readonly state: () => string | Health
}

/** A component made of components. */
export interface CompositeIndicator {
  readonly indicators: Indicators
}

/** One component's health: a check, a check with options, a state, or a component made of components. */
export type Indicator = HealthCheck | CheckedIndicator | StateIndicator | CompositeIndicator

/** Indicators by component name. */
export interface Indicators {
  readonly [name: string]: Indicator
}
