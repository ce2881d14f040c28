import cluster, { type Worker } from 'node:cluster'
import { constants } from 'node:os'
import * as z from 'zod/mini'
import { describeValue } from '../../base/describe-value.ts'
import { type Duration, parseDuration } from '../../base/duration.ts'
import { invalidOption } from '../../base/errors.ts'
import {
  describeOptionErrors,
  type OptionIssue,
  type OptionSchema,
  withForeignNames,
} from '../../base/option-errors.ts'
import { contain, type Report, reportToConsole } from '../../base/report.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'

/** Options of `reloadWorkers`. */
export interface ReloadOptions {
  /** How long a new worker may take until it is ready. @default '30s' */
  readonly startTimeout?: Duration | undefined
  /** How long a replaced worker may take to shut down, until it receives `SIGKILL`. @default '30s' */
  readonly stopTimeout?: Duration | undefined
  /** Starts the replacement of a worker, such as with the variables that one has. @default cluster.fork() */
  readonly fork?: ((replaced: Worker) => Worker) | undefined
  /**
   * Called when a new worker listens; the reload continues when it resolves. Rejecting stops the reload. Workers that
   * call `shutdownGracefully` are waited for without it, until their availability accepts traffic.
   */
  readonly ready?: ((worker: Worker, signal: AbortSignal) => unknown) | undefined
  /** Called when a worker has been replaced, and with errors of `reloadOnSignal`. @default console.error */
  readonly report?: Report | undefined
}

/** Options of `stopWorkers`. */
export interface StopOptions {
  /** How long a worker may take to shut down, until it receives `SIGKILL`. @default '30s' */
  readonly stopTimeout?: Duration | undefined
}

/** The options of `reloadWorkers` and `stopWorkers` with their defaults. */
export interface WorkerSettings {
  readonly startMilliseconds: number
  readonly stopMilliseconds: number
  readonly fork: (replaced: Worker) => Worker
  readonly ready: (worker: Worker, signal: AbortSignal) => unknown
  readonly report: Report
}

/**
 * Checks the options of a function, which is named in errors.
 *
 * @throws TypeError with one entry per invalid option, what is expected, and what was received.
 */
export function resolveOptions(name: string, options: ReloadOptions & StopOptions): WorkerSettings {
  const schema = workerOptions(name)
  const { success, error } = schema.safeParse(options)
  if (!success) {
    const issues = error.issues as readonly OptionIssue[]
    const errors = describeOptionErrors(issues, { options, schema: schema as OptionSchema, isSecret: () => false })
    throw invalidOption(`${name}: ${errors.join('; ')}`)
  }
  const { startTimeout = '30s', stopTimeout = '30s', fork, ready = () => {}, report = reportToConsole } = options
  return {
    startMilliseconds: parseDuration(startTimeout) ?? 0,
    stopMilliseconds: parseDuration(stopTimeout) ?? 0,
    fork: fork ?? (() => cluster.fork()),
    ready,
    report: contain(report),
  }
}

/** @throws TypeError if a signal does not exist in this system, or cannot be handled. */
export function requireSignal(name: string, signal: unknown): void {
  const isKnown = typeof signal === 'string' && Object.hasOwn(constants.signals, signal)
  if (isKnown && signal !== 'SIGKILL' && signal !== 'SIGSTOP') return
  throw invalidOption(`${name}: signal: expected a signal such as "SIGHUP", received ${describeValue(signal)}`)
}

/** Created on demand. */
function workerOptions(caller: string) {
  const aDuration = 'a duration such as "30s" of more than 0'
  const duration = z.optional(z.string(aDuration).check(z.refine((text) => (parseDuration(text) ?? 0) > 0, aDuration)))
  const aFunction = (what: string) => z.optional(z.custom((value) => typeof value === 'function', what))
  const stop = { stopTimeout: duration }
  const reload = {
    startTimeout: duration,
    ...stop,
    fork: aFunction('a function (replaced) that returns a worker'),
    ready: aFunction('a function (worker, signal)'),
    report: aFunction('a function (message, cause)'),
  }
  const schema = z.strictObject(caller === 'stopWorkers' ? stop : reload, 'an object')
  return withForeignNames(schema, foreignNames)
}

const foreignNames: ForeignNames = {
  timeout: 'stopTimeout',
  killTimeout: 'stopTimeout',
  shutdownTimeout: 'stopTimeout',
  listenTimeout: 'startTimeout',
  waitReady: 'ready',
}
