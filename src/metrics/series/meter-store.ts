import type { Counter } from '../counter.ts'
import type { FunctionCounter } from '../function-counter.ts'
import type { FunctionTimer } from '../function-timer.ts'
import type { ReadGauge } from '../gauge.ts'
import type { LongTaskTimer } from '../long-task-timer.ts'
import type { StoredMeter } from '../meter.ts'
import type { Summary } from '../summary.ts'
import type { Timer } from '../timer.ts'
import type { Family } from './family.ts'
import { MeterCatalog } from './meter-catalog.ts'

/** The meters of one registry, kind by kind. */
export class MeterCatalogs {
  readonly counters: MeterCatalog<Counter & StoredMeter>
  readonly gauges: MeterCatalog<ReadGauge>
  readonly timers: MeterCatalog<Timer & StoredMeter>
  readonly summaries: MeterCatalog<Summary & StoredMeter>
  readonly longTaskTimers: MeterCatalog<LongTaskTimer & StoredMeter>
  readonly functionCounters: MeterCatalog<FunctionCounter & StoredMeter>
  readonly functionTimers: MeterCatalog<FunctionTimer & StoredMeter>
  readonly all: readonly MeterCatalog<StoredMeter>[]

  /** All families by name, as long as no other came: sorting thousands of names at each scrape would hold the event loop. */
  #sorted: readonly Family<StoredMeter>[] | undefined

  constructor(epoch: number, mapping: boolean) {
    const introduce = (family: Family<StoredMeter>): void => this.#introduce(family)
    this.counters = new MeterCatalog('counter', epoch, mapping, introduce)
    this.gauges = new MeterCatalog('gauge', epoch, mapping, introduce)
    this.timers = new MeterCatalog('timer', epoch, mapping, introduce)
    this.summaries = new MeterCatalog('summary', epoch, mapping, introduce)
    this.longTaskTimers = new MeterCatalog('longTaskTimer', epoch, mapping, introduce)
    this.functionCounters = new MeterCatalog('functionCounter', epoch, mapping, introduce)
    this.functionTimers = new MeterCatalog('functionTimer', epoch, mapping, introduce)
    this.all = [
      this.counters,
      this.functionCounters,
      this.gauges,
      this.timers,
      this.functionTimers,
      this.summaries,
      this.longTaskTimers,
    ]
  }

  /** The names that have a meter, sorted by UTF-16 code units. */
  names(): string[] {
    this.#sorted ??= [...this.families()].sort((one, other) => (one.name < other.name ? -1 : 1))
    const names: string[] = []
    for (const { name, table } of this.#sorted) if (table.size > 0 && names.at(-1) !== name) names.push(name)
    return names
  }

  /** All families, or those of one name. */
  *families(name?: string): Generator<Family<StoredMeter>> {
    for (const { families } of this.all) {
      if (name === undefined) yield* families.values()
      else {
        const family = families.get(name)
        if (family !== undefined) yield family
      }
    }
  }

  /** Lets a meter go; whether it was there. */
  remove(family: Family<StoredMeter>, meter: StoredMeter): boolean {
    const catalog = this.all.find(({ families }) => families.get(family.name) === family)
    if (catalog === undefined || meter.id.home !== family) return false
    family.remove(meter)
    catalog.forgetAliases()
    return true
  }

  forgetAliases(mapping: boolean): void {
    for (const catalog of this.all) catalog.forgetAliases(mapping)
  }

  #introduce(family: Family<StoredMeter>): void {
    this.#sorted = undefined
    const others = [...this.families(family.name)].filter((other) => other !== family)
    family.relatives = others
    for (const other of others) other.relatives = [...other.relatives, family]
  }
}
