import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { abilities, type ConformanceAbility, checkUnsupported, type UnsupportedAbilities } from '../ability.ts'
import { type OnSkip, sayOnConsole, tellRunner } from '../tell-runner.ts'
import { accessTrials } from './access.ts'
import { type ConformanceApplication, createApplication, type StartedApplication } from './application.ts'
import { connectionTrials } from './connections.ts'
import { crossSiteTrials } from './cross-site.ts'
import { cutOffTrials } from './cut-off.ts'
import { errorTrials } from './errors.ts'
import { managementTrials } from './management.ts'
import { mannersTrials } from './manners.ts'
import { meterTrials } from './meters.ts'
import { observationTrials } from './observation.ts'
import { createSubject, type Trial } from './subject.ts'
import { targetTrials } from './targets.ts'
import { traceTrials } from './traces.ts'

/** Options of `adapterConformance`. */
export interface AdapterConformanceOptions {
  /** Starts the application in the adapter's framework on a free port of 127.0.0.1. */
  readonly start: (application: ConformanceApplication) => StartedApplication | Promise<StartedApplication>
  /** Path below which `manage` is mounted. @default '' */
  readonly prefix?: string | undefined
  /** Whether a JSON body parser precedes everything. @default false */
  readonly bodyParser?: boolean | undefined
  /** Converts a route template such as `/orders/:id` to the framework's syntax. @default identity */
  readonly template?: ((path: string) => string) | undefined
  /**
   * Abilities that the framework or server lacks, with reasons; cases that need them are skipped with the reason.
   * @default {}
   */
  readonly unsupported?: UnsupportedAbilities | undefined
  /** How long a request may take to be recorded after its response. @default '10s' */
  readonly patience?: Duration | undefined
  /** Called for each skipped case if the test runner cannot report one. @default console.info */
  readonly onSkip?: OnSkip | undefined
}

/** One requirement on an adapter, as a test. */
export interface ConformanceCase {
  readonly title: string
  /** The ability that the case needs, if any. */
  readonly needs: ConformanceAbility | undefined
  /**
   * The body of a test: starts the application, sends requests, and closes it. Rejects if the requirement is not met.
   * If a needed ability is missing, the test is skipped as with `ContractCase`.
   */
  readonly run: (this: unknown, ...context: never[]) => Promise<void>
}

/**
 * Returns all requirements on an adapter as test cases: management endpoints over HTTP, requests observed by route
 * template and trace, error responses. Each case starts its own application.
 *
 * @throws TypeError or RangeError naming the invalid option.
 */
export function adapterConformance(options: AdapterConformanceOptions): readonly ConformanceCase[] {
  requireKnownOptions(
    'adapterConformance',
    options,
    ['start', 'prefix', 'bodyParser', 'template', 'unsupported', 'patience', 'onSkip'],
    { foreignNames: { path: 'prefix', basePath: 'prefix', timeout: 'patience', lacks: 'unsupported' } },
  )
  const {
    start,
    prefix = '',
    bodyParser = false,
    template = (path) => path,
    unsupported = {},
    patience = '10s',
    onSkip = sayOnConsole,
  } = options
  const patienceMilliseconds = durationMilliseconds(patience, 'patience')
  checkUnsupported(unsupported, abilities)
  const trials: readonly Trial[] = [
    ...managementTrials,
    ...mannersTrials,
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
    // Test runners treat a function with a parameter as callback-style.
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
