import type { Management, MeterRegistry } from '../../src/entries/index.ts'
import { inject } from './metadata.ts'

/** Classes without instances: as tokens that are types as well they need no `@Inject`. */
const upkeepClass: abstract new () => object = class Upkeep {}
const metersClass: abstract new () => object = class Meters {}

/** The management of the application, for injection: `constructor(private readonly upkeep: Upkeep) {}`. */
export type Upkeep = Management
/** The token of the management. */
export const Upkeep: abstract new () => Management = upkeepClass as abstract new () => Management

/** The meters of the application, for injection: `constructor(meters: Meters) {}`. */
export type Meters = MeterRegistry
/** The token of the meter registry. */
export const Meters: abstract new () => MeterRegistry = metersClass as abstract new () => MeterRegistry

/** Returns the token of a meter that `provideMeter` provides, for example to override it in a test. */
export function meterToken(name: string): string {
  return `upkeep:meter:${name}`
}

/** A provider of a meter. */
export interface MeterProvider<M> {
  provide: string
  inject: [typeof Meters]
  useFactory: (meters: MeterRegistry) => M
}

/**
 * Provides a meter, or meters by tags, for injection by `@InjectMeter(name)` in the same module:
 * `provideMeter('orders.placed', (meters, name) => meters.counters(name, ['region']))`.
 */
export function provideMeter<M>(name: string, create: (meters: MeterRegistry, name: string) => M): MeterProvider<M> {
  return { provide: meterToken(name), inject: [Meters], useFactory: (meters) => create(meters, name) }
}

/** Injects a meter that `provideMeter` provides. */
export function InjectMeter(name: string): ParameterDecorator & PropertyDecorator {
  return inject(meterToken(name))
}
