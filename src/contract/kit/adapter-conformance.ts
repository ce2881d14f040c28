import { type Duration, durationMilliseconds } from '../../duration.ts'
import { type ConformanceApplication, createApplication, type StartedApplication } from './application.ts'
import { errorTrials } from './errors.ts'
import { malformedTrials } from './malformed.ts'
import { managementTrials } from './management.ts'
import { mannersTrials } from './manners.ts'
import { meterTrials } from './meters.ts'
import { observationTrials } from './observation.ts'
import { createSubject } from './subject.ts'

export interface AdapterConformanceOptions {
  /** Puts the application together in the adapter's framework, and lets it listen on a free port of 127.0.0.1. */
  readonly start: (application: ConformanceApplication) => StartedApplication | Promise<StartedApplication>
  /** The path below which `manage` is mounted. @default '' */
  readonly prefix?: string | undefined
  /** Whether a parser of JSON bodies stands in front. @default false */
  readonly bodyParser?: boolean | undefined
  /** How the framework writes the template of a route, of which `/orders/:id` is one. @default as it is */
  readonly template?: ((path: string) => string) | undefined
  /** How long a request may take to be told of after its answer. @default '10s' */
  readonly patience?: Duration | undefined
}

/** One thing that an adapter has to do, as a test. */
export interface ConformanceCase {
  readonly title: string
  /** Starts the application, asks it, and closes it again; rejects for what is not as it has to be. */
  readonly run: () => Promise<void>
}

/**
 * All that an adapter has to do: the management endpoints over HTTP, requests observed by the template of their route,
 * errors answered. Each case has an application of its own.
 */
export function adapterConformance({
  start,
  prefix = '',
  bodyParser = false,
  template = (path) => path,
  patience = '10s',
}: AdapterConformanceOptions): readonly ConformanceCase[] {
  const patienceMilliseconds = durationMilliseconds(patience, 'patience')
  const trials = [
    ...managementTrials,
    ...mannersTrials,
    ...malformedTrials,
    ...meterTrials,
    ...observationTrials,
    ...errorTrials,
  ]
  return trials.map(({ title, attempt }) => ({
    title,
    async run() {
      const reported: unknown[] = []
      const started = await start(createApplication(prefix, bodyParser, (error) => reported.push(error)))
      try {
        await attempt(createSubject(started, prefix, reported, { template, patienceMilliseconds }))
      } finally {
        await started.close()
        started.management.close()
      }
    },
  }))
}
