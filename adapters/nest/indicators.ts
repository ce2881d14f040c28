import { requireKnownOptions, withErrorCode } from '../../src/entries/adapter.ts'
import type { HealthCheck, Indicator as HealthIndicator, Indicators } from '../../src/entries/index.ts'
import { type Class, type InstanceWrapper, type ModulesContainer, wrappersOf } from './nest.ts'
import { acceptTerminus, type TerminusAttempt, type TerminusCheck } from './terminus.ts'

/** An indicator of upkeep, or one of `@nestjs/terminus` as it is. */
export type NestIndicator =
  | HealthIndicator
  | TerminusCheck
  | TerminusAttempt
  | (IndicatorOptions & { readonly check: TerminusCheck })

/** Options of an indicator: how long its check may take and is cached, and which failures are tolerated. */
export type IndicatorOptions = Omit<Extract<HealthIndicator, { readonly check: HealthCheck }>, 'check'>

/** A provider that checks a component. Returns a status, or what an indicator of `@nestjs/terminus` returns. */
export interface IndicatorProvider {
  check(signal: AbortSignal): ReturnType<HealthCheck> | ReturnType<TerminusCheck>
}

const key = 'upkeep:indicator'

interface DeclaredIndicator extends IndicatorOptions {
  readonly name: string
}

/** Makes a provider the health indicator `name`. It can inject other providers; `@Injectable()` is not needed. */
export function Indicator(
  name: string,
  options: IndicatorOptions = {},
): (target: new (...args: never[]) => IndicatorProvider) => void {
  requireKnownOptions('@Indicator', options, ['timeout', 'cache', 'refresh', 'staleAfter', 'tolerate'], {
    foreignNames: { ttl: 'cache', interval: 'refresh', retries: 'tolerate.failures' },
  })
  return (target) => Reflect.defineMetadata(key, { ...options, name } satisfies DeclaredIndicator, target)
}

/** Returns the indicators of an application as upkeep runs them. */
export function acceptIndicators(indicators: Readonly<Record<string, NestIndicator>>): Indicators {
  return Object.fromEntries(Object.entries(indicators).map(([name, each]) => [name, acceptIndicator(name, each)]))
}

function acceptIndicator(name: string, indicator: NestIndicator): HealthIndicator {
  if (typeof indicator === 'function') return acceptTerminus(indicator)
  if (typeof indicator !== 'object' || indicator === null) return indicator
  if (indicator instanceof Promise) {
    throw withErrorCode(
      new TypeError(`UpkeepModule: health.indicators.${name}: expected a function, received a promise`),
      'UPKEEP_EOPTION',
    )
  }
  if ('then' in indicator) return acceptTerminus(() => indicator)
  if (!('check' in indicator)) return indicator
  const { check, ...options } = indicator
  // Anything else than a function is rejected by `createManagement`.
  return { ...options, check: typeof check === 'function' ? acceptTerminus(check) : check }
}

/**
 * Returns the indicators that are providers of the application. Their checks wait until all providers are created.
 *
 * @throws TypeError for a provider that exists once per request, and for two classes with the same name.
 */
export function findIndicators(modules: ModulesContainer, ready: Promise<void>): Indicators {
  const found = new Map<string, { readonly owner: Class; readonly indicator: HealthIndicator }>()
  for (const wrapper of wrappersOf(modules)) {
    const owner = [wrapper.metatype, wrapper.token].find(isDeclared)
    if (owner === undefined) continue
    const { name, ...options }: DeclaredIndicator = Reflect.getOwnMetadata(key, owner)
    const other = found.get(name)?.owner
    if (other !== undefined && other !== owner) {
      throw withErrorCode(
        new TypeError(`@Indicator("${name}"): expected one class, received ${other.name} and ${owner.name}`),
        'UPKEEP_EOPTION',
      )
    }
    if (!wrapper.isDependencyTreeStatic()) {
      throw withErrorCode(
        new TypeError(`@Indicator("${name}"): expected a singleton, received the request-scoped ${owner.name}`),
        'UPKEEP_EOPTION',
      )
    }
    if (other === undefined) found.set(name, { owner, indicator: { ...options, check: checkOf(wrapper, ready) } })
  }
  return Object.fromEntries([...found].map(([name, { indicator }]) => [name, indicator]))
}

function isDeclared(value: unknown): value is Class {
  return typeof value === 'function' && Reflect.hasOwnMetadata(key, value)
}

function checkOf(wrapper: InstanceWrapper, ready: Promise<void>): HealthCheck {
  const check = acceptTerminus((signal) => (wrapper.instance as IndicatorProvider).check(signal))
  return async (signal) => {
    await ready
    return check(signal)
  }
}
