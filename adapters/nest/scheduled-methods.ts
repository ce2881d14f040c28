import type { Management } from '../../src/entries/index.ts'
import type { NextRun, ScheduledTasks, TaskTrigger } from '../../src/entries/instrumentation.ts'
import { isOwnedBy } from './applications.ts'
import { standInFor } from './metadata.ts'
import { type ModulesContainer, wrappersOf } from './nest.ts'

type Method = (this: unknown, ...args: never[]) => unknown

/** A method with `@Cron`, `@Interval` or `@Timeout` of `@nestjs/schedule`, and where it is defined. */
interface ScheduledMethod {
  readonly prototype: Record<string, unknown>
  readonly key: string
  readonly method: Method
  readonly name: string
  readonly trigger: TaskTrigger
}

/** Returns the methods that `@nestjs/schedule` runs. */
export function findScheduledMethods(modules: ModulesContainer): readonly ScheduledMethod[] {
  const wrappers = [...wrappersOf(modules)]
  const jobs = () => cronJobs(wrappers.find(({ token }) => nameOf(token) === 'SchedulerRegistry')?.instance)
  const classes = new Set(wrappers.flatMap(({ metatype, token }) => [metatype, token]).filter(isClass))
  return [...classes].flatMap((owner) => scheduledMethodsOf(owner, jobs))
}

/**
 * Records the runs of scheduled methods. `@nestjs/schedule` catches what a method throws, so the method itself is
 * replaced. Returns a function that restores it.
 */
export function recordRuns(
  methods: readonly ScheduledMethod[],
  tasks: ScheduledTasks,
  of: () => Management,
): () => void {
  const restored = methods.map(({ prototype, key, method, name, trigger }) => {
    const recorded: Method = tasks.schedule(name, method, trigger)
    // Another application in this process may have an instance of the same class.
    const standIn: Method = function (...args) {
      return (isOwnedBy(this, of()) ? recorded : method).apply(this, args)
    }
    prototype[key] = standInFor(method, standIn)
    return () => {
      if (prototype[key] === standIn) prototype[key] = method
      tasks.remove(name)
    }
  })
  return () => {
    for (const restore of restored) restore()
  }
}

function scheduledMethodsOf({ prototype, name }: Owner, jobs: () => CronJobs): readonly ScheduledMethod[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([key, { value: method }]) => {
    if (typeof method !== 'function') return []
    const trigger = triggerOf(method, jobs)
    if (trigger === undefined) return []
    const given: unknown = Reflect.getMetadata('SCHEDULER_NAME', method)
    return [{ prototype, key, method, trigger, name: typeof given === 'string' ? given : `${name}.${key}` }]
  })
}

function triggerOf(method: object, jobs: () => CronJobs): TaskTrigger | undefined {
  switch (Reflect.getMetadata('SCHEDULER_TYPE', method)) {
    case schedulerType.cron: {
      const { cronTime, name }: CronOptions = Reflect.getMetadata('SCHEDULE_CRON_OPTIONS', method)
      return { cron: String(cronTime), next: nextRunOf(cronTime, name, jobs) }
    }
    case schedulerType.timeout:
      return { custom: `once after ${Reflect.getMetadata('SCHEDULE_TIMEOUT_OPTIONS', method).timeout} ms` }
    case schedulerType.interval:
      return { fixedRate: `${Reflect.getMetadata('SCHEDULE_INTERVAL_OPTIONS', method).timeout}ms` }
  }
  return undefined
}

/** `SchedulerType` of `@nestjs/schedule`. */
const schedulerType = { cron: 1, timeout: 2, interval: 3 } as const

interface CronOptions {
  readonly cronTime: unknown
  readonly name?: string | undefined
}

interface CronJob {
  readonly isActive: boolean
  readonly cronTime: { readonly source: unknown }
  nextDate(): { toMillis(): number }
}

type CronJobs = ReadonlyMap<string, CronJob>

function cronJobs(registry: unknown): CronJobs {
  const jobs: unknown =
    typeof registry === 'object' && registry !== null && 'getCronJobs' in registry
      ? (registry as { getCronJobs(): CronJobs }).getCronJobs()
      : undefined
  return jobs instanceof Map ? jobs : new Map()
}

/** Finds the job of a method by its name, or else by its expression: a job without a name has a random one. */
function nextRunOf(cronTime: unknown, name: string | undefined, jobs: () => CronJobs): NextRun {
  return () => {
    const known = jobs()
    const same =
      name === undefined ? [...known.values()].find((job) => job.cronTime.source === cronTime) : known.get(name)
    return same?.isActive ? same.nextDate().toMillis() : undefined
  }
}

interface Owner {
  readonly name: string
  readonly prototype: Record<string, unknown>
}

function isClass(value: unknown): value is Owner {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null
}

function nameOf(token: unknown): unknown {
  return typeof token === 'function' ? token.name : token
}
