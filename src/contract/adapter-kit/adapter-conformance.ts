import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { abilities, type ConformanceAbility, checkUnsupported, type UnsupportedAbilities } from '../ability.ts'
import { type OnSkip, sayOnConsole, tellRunner } from '../tell-runner.ts'
import { accessTrials } from './access.ts'
import { type ConformanceApplication, createApplication, type StartedApplication } from './application.ts'
import { connectionTrials } from './connections.ts'
import { crossSiteTrials } from './cross-site.ts'
import { cutOffTrials } from './cut-off.ts'
import { errorTrials } from './errors.ts'
import { malformedTrials } from './malformed.ts'
import { managementTrials } from './management.ts'
import { mannersTrials } from './manners.ts'
import { meterTrials } from './meters.ts'
import { observationTrials } from './observation.ts'
import { createSubject, type Trial } from './subject.ts'
import { targetTrials } from './targets.ts'
import { traceTrials } from './traces.ts'

export interface AdapterConformanceOptions {
  /** Puts the application together in the adapter's framework, and lets it listen on a free port of 127.0.0.1. */
  readonly start: (application: ConformanceApplication) => StartedApplication | Promise<StartedApplication>
  /** The path below which `manage` is mounted. @default '' */
  readonly prefix?: string | undefined
  /** Whether a parser of JSON bodies stands in front. @default false */
  readonly bodyParser?: boolean | undefined
  /** How the framework writes the template of a route, of which `/orders/:id` is one. @default as it is */
  readonly template?: ((path: string) => string) | undefined
  /**
   * What the framework or the server beneath the adapter cannot do, each with the reason: cases that need it are reported as
   * skipped, and say so. @default {}
   */
  readonly unsupported?: UnsupportedAbilities | undefined
  /** How long a request may take to be told of after its answer. @default '10s' */
  readonly patience?: Duration | undefined
  /** Told of each case that is skipped where the test runner has no word for it. @default console.info */
  readonly onSkip?: OnSkip | undefined
}

/** One thing that an adapter has to do, as a test. */
export interface ConformanceCase {
  readonly title: string
  /** What the framework has to be able to do, where that is not a matter of course. */
  readonly needs: ConformanceAbility | undefined
  /**
   * The body of a test: starts the application, asks it, and closes it again; rejects for what is not as it has to be. Where
   * the case needs what is lacking, the test runner is told to skip it, as with `ContractCase`.
   */
  readonly run: (this: unknown, ...context: never[]) => Promise<void>
}

/**
 * All that an adapter has to do: the management endpoints over HTTP, requests observed by the template of their route and
 * in their trace, errors answered. Each case has an application of its own.
 *
 * @throws TypeError, RangeError naming the option and what it may be.
 */
export function adapterConformance({
  start,
  prefix = '',
  bodyParser = false,
  template = (path) => path,
  unsupported = {},
  patience = '10s',
  onSkip = sayOnConsole,
}: AdapterConformanceOptions): readonly ConformanceCase[] {
  const patienceMilliseconds = durationMilliseconds(patience, 'patience')
  checkUnsupported(unsupported, abilities)
  const trials: readonly Trial[] = [
    ...managementTrials,
    ...mannersTrials,
    ...malformedTrials,
    ...targetTrials,
    ...accessTrials,
    ...crossSiteTrials,
    ...meterTrials,
    ...cutOffTrials,
    ...observationTrials,
    ...connectionTrials,
    ...traceTrials,
    ...errorTrials,
  ]
  return trials.map(({ title, needs, options, attempt }) => ({
    title,
    needs,
    // Test runners take a function with a parameter for one that calls back.
    async run(...context: never[]) {
      const reason = needs && unsupported[needs]
      if (reason !== undefined) return tellRunner(this, context[0], reason, () => onSkip(title, reason))
      const reported: unknown[] = []
      const started = await start(createApplication(prefix, bodyParser, (error) => reported.push(error), options))
      try {
        await attempt(createSubject(started, prefix, reported, { template, patienceMilliseconds }))
      } finally {
        await started.close()
        started.management.close()
      }
    },
  }))
}
