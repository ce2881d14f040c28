import { describeValue } from '../base/describe-value.ts'
import { durationMilliseconds } from '../base/duration.ts'
import { invalidOption, optionOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { createBackgroundCheck } from './checks/background-check.ts'
import { createCachedCheck } from './checks/cached-check.ts'
import type { CheckRunner } from './checks/check-runner.ts'
import { createFailureTolerance } from './checks/failure-tolerance.ts'
import type { HealthSource } from './checks/health-source.ts'
import { createSingleFlight } from './checks/single-flight.ts'
import { createStateCheck } from './checks/state-check.ts'
import type { CheckedIndicator, Indicator, Indicators } from './indicator.ts'

/** A node of the tree of components: one with a health of its own, or one that consists of others. */
export type Component = Leaf | Composite

export interface Leaf extends HealthSource {
  readonly kind: 'leaf'
  /** Whether it exists at present; while it does not, it is omitted. @default always */
  readonly isPresent?: () => boolean
  /** Returns the part of a name, which exists at present. @default none */
  readonly part?: (name: string) => Leaf | undefined
}

interface Composite {
  readonly kind: 'composite'
  readonly components: ReadonlyMap<string, Component>
}

/**
 * Creates the tree of components from indicators, each level sorted by name.
 *
 * @throws TypeError, RangeError if an indicator is invalid; the message contains the path of the option.
 */
export function createComponents(
  indicators: Indicators,
  runner: CheckRunner,
  prefix = '',
): ReadonlyMap<string, Component> {
  const entries = Object.entries(indicators).map(([name, indicator]) => {
    if (name === '' || name.includes('/')) {
      const option = `${optionOf(prefix.slice(0, -1))}.indicators`
      throw optionOutOfRange(`${option}: expected names without a slash, received ${describeValue(name)}`)
    }
    return [name, createComponent(indicator, runner, prefix + name)] as const
  })
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function createComponent(indicator: Indicator, runner: CheckRunner, path: string): Component {
  if (typeof indicator === 'function') return createCheckedComponent({ check: indicator }, runner, path)
  if (typeof indicator === 'object' && indicator !== null) {
    if ('indicators' in indicator && typeof indicator.indicators === 'object' && indicator.indicators !== null) {
      checkNames(indicator, pathOf(path), ['indicators'])
      return { kind: 'composite', components: createComponents(indicator.indicators, runner, `${path}/`) }
    }
    if ('state' in indicator && typeof indicator.state === 'function') {
      checkNames(indicator, pathOf(path), ['state'])
      return { kind: 'leaf', ...createStateCheck(indicator, runner) }
    }
    if ('check' in indicator && typeof indicator.check === 'function') {
      checkNames(indicator, pathOf(path), checkOptions, foreignNames)
      if (indicator.tolerate !== undefined) {
        checkNames(indicator.tolerate, `${pathOf(path)}.tolerate`, ['failures', 'for'], {
          duration: 'for',
          count: 'failures',
        })
      }
      return createCheckedComponent(indicator, runner, path)
    }
  }
  throw invalidOption(
    `${optionOf(path)}: expected a function, { check }, { state } or { indicators }, ` +
      `received ${describeValue(indicator)}`,
  )
}

const checkOptions = [
  'check',
  'timeout',
  'cache',
  'refresh',
  'staleAfter',
  'tolerate',
] as const satisfies readonly (keyof CheckedIndicator)[]

/** What others call the options of a check. */
const foreignNames: ForeignNames = {
  ttl: 'cache',
  cacheFor: 'cache',
  cacheDuration: 'cache',
  interval: 'refresh',
  period: 'refresh',
  retries: 'tolerate.failures',
  failureThreshold: 'tolerate.failures',
  indicators: 'a check has no parts; call composite({ … }) of upkeep/health',
}

/**
 * Checks the options of an indicator. It may have methods of its own beside them, such as `close`, and an instance of a
 * class any members.
 */
function checkNames(indicator: object, option: string, known: readonly string[], names?: ForeignNames): void {
  if (typeof indicator !== 'object' || indicator === null) return
  if (Object.getPrototypeOf(indicator) !== Object.prototype) return
  const options = Object.entries(indicator).filter(([, value]) => typeof value !== 'function')
  requireKnownOptions<Readonly<Record<string, unknown>>>(caller, Object.fromEntries(options), known, {
    path: [option],
    foreignNames: names,
  })
}

/**
 * Creates a component with a check: cached, or run in the background if `refresh` is given. One run is active at a
 * time.
 *
 * @throws RangeError if an option is invalid; the message contains its path.
 */
export function createCheckedComponent(indicator: CheckedIndicator, runner: CheckRunner, path: string): Leaf {
  const { check, timeout = '5s', cache, refresh, staleAfter, tolerate } = indicator
  const option = optionOf(path)
  const timeoutMilliseconds = durationMilliseconds(timeout, `${option}.timeout`)
  const applyTolerance = createFailureTolerance(tolerate, runner.clock, `${option}.tolerate`)
  runner.cancellers.add(() => check.close?.())
  const flight = createSingleFlight({ path, check, timeoutMilliseconds, applyTolerance }, runner)

  if (refresh === undefined) {
    if (staleAfter !== undefined) {
      throw optionOutOfRange(
        `${option}.staleAfter: expected undefined without "refresh", received ${describeValue(staleAfter)}`,
      )
    }
    const cacheMilliseconds = durationMilliseconds(cache ?? '1s', `${option}.cache`)
    return { kind: 'leaf', ...createCachedCheck(flight, cacheMilliseconds) }
  }
  if (cache !== undefined) {
    throw optionOutOfRange(`${option}.cache: expected undefined with "refresh", received ${describeValue(cache)}`)
  }
  const refreshMilliseconds = durationMilliseconds(refresh, `${option}.refresh`)
  if (refreshMilliseconds === 0) {
    throw optionOutOfRange(`${option}.refresh: expected a duration of more than 0, received ${describeValue(refresh)}`)
  }
  const staleMilliseconds =
    staleAfter === undefined
      ? 3 * (refreshMilliseconds + timeoutMilliseconds)
      : durationMilliseconds(staleAfter, `${option}.staleAfter`)
  if (staleMilliseconds < refreshMilliseconds) {
    throw optionOutOfRange(
      `${option}.staleAfter: expected at least "refresh", which is ${describeValue(refresh)}, ` +
        `received ${describeValue(staleAfter)}`,
    )
  }
  return { kind: 'leaf', ...createBackgroundCheck(flight, { refreshMilliseconds, staleMilliseconds }, runner) }
}

const caller = 'createManagement'

/** Returns the option that defines a component as errors begin with it. */
function optionOf(path: string): string {
  return `${caller}: ${pathOf(path)}`
}

/** Returns the option that defines a component: for `db/primary`, `health.indicators.db.indicators.primary`. */
function pathOf(path: string): string {
  return ['health', ...(path === '' ? [] : path.split('/'))].join('.indicators.')
}

/** Runs all checks, also those whose latest result is cached. Resolves when they have completed. Never rejects. */
export async function runChecks(components: ReadonlyMap<string, Component>, now: number): Promise<void> {
  const run = (component: Component) => {
    if (component.kind === 'composite') return runChecks(component.components, now)
    return component.isPresent?.() === false ? undefined : component.run?.(now)
  }
  await Promise.all([...components.values()].map(run))
}

/** Returns the component at a path of names, or `undefined` if it does not exist. */
export function findComponent(
  components: ReadonlyMap<string, Component>,
  [name = '', ...rest]: readonly string[],
): Component | undefined {
  const component = components.get(name)
  if (component === undefined || rest.length === 0) return component
  if (component.kind === 'composite') return findComponent(component.components, rest)
  return rest.length === 1 ? component.part?.(rest[0] ?? '') : undefined
}
