import { messageOf, notify } from '../base/callback.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import type { Diagnose } from './diagnostic.ts'
import { DistributionSetups } from './distribution/distribution-setup.ts'
import { RollingWindow } from './distribution/rolling-window.ts'
import { createExemplarTaker } from './exemplar.ts'
import type { Exemplars } from './exemplars.ts'
import type { Meter, MeterKind, StoredMeter } from './meter.ts'
import { FilterChain, type MeterFilter } from './meter-filter.ts'
import type { MeterRegistryOptions, TimerOptions } from './meter-registry.ts'
import { requestTimer } from './meter-requests.ts'
import { CardinalityGuard } from './series/cardinality-guard.ts'
import { Family } from './series/family.ts'
import { IdleExpiry } from './series/idle-expiry.ts'
import { MeterCatalogs } from './series/meter-store.ts'
import { Registration } from './series/registration.ts'
import { Series } from './series/series.ts'
import { createAgeReader } from './series/series-age.ts'
import { mergeTags, tagSet } from './series/tags.ts'
import type { MeterId, MeterSnapshot } from './snapshot.ts'

/** Counts an event in a meter about meters. */
export type CountEvent = (name: string, meter: string, description: string) => void

const ownPrefix = 'upkeep.meters.'

/** What a registry is put together from. */
export class RegistryParts {
  readonly clock: Clock
  readonly catalogs: MeterCatalogs
  readonly setups: DistributionSetups
  readonly registration: Registration
  readonly exemplars: Exemplars | undefined
  readonly #filters: FilterChain
  readonly #window: RollingWindow
  readonly #expiry: IdleExpiry
  readonly #diagnose: Diagnose
  readonly #ignored = new Set<string>()

  constructor(options: MeterRegistryOptions, exemplars: Exemplars | undefined, count: CountEvent) {
    const { clock = systemClock, filters = [], maximumSeriesPerMeter = 1_000, exemplar, window = {} } = options
    this.clock = clock
    this.#diagnose = guardDiagnose(options.diagnose)
    const exemplarFailed = (error: unknown): void => {
      const message = `metrics.exemplar failed, and the measurement has no exemplar: ${messageOf(error)}`
      this.#diagnose({ kind: 'exemplar-failed', message, error })
    }
    this.exemplars =
      exemplar === undefined ? exemplars : { isOn: true, take: createExemplarTaker(exemplar, clock, exemplarFailed) }
    this.#filters = new FilterChain(filters, this.#diagnose)
    this.#window = createWindow(clock, window)
    const epoch = clock.wallTime()
    this.catalogs = new MeterCatalogs(epoch, this.#filters.mapping)
    this.#expiry = new IdleExpiry(
      clock,
      limitsOf(options),
      () => this.catalogs.families(),
      (family, meter) => this.catalogs.remove(family, meter),
    )
    const refused = (meter: string): void => {
      if (!meter.startsWith(ownPrefix))
        count(`${ownPrefix}overflow`, meter, 'Lookups past the maximum of series of a meter')
    }
    this.registration = new Registration(
      this.#filters,
      new CardinalityGuard(maximumSeriesPerMeter, this.#diagnose, refused),
      this.#expiry,
      createAgeReader(clock),
    )
    this.setups = new DistributionSetups({
      clock,
      window: this.#window,
      exemplars: this.exemplars,
      drop: ({ name }) => count(`${ownPrefix}dropped`, name, 'Measurements that were negative, NaN or infinite'),
      timerOfError: (id, error, wanted) => this.#timerOfError(id, error, wanted),
    })
  }

  /** Reads all series, or those of one name; what has nothing to measure any more is let go. */
  *slices(size: number, name?: string): Generator<MeterSnapshot[]> {
    for (const each of name === undefined ? this.catalogs.names() : [name]) {
      for (const family of this.catalogs.families(each)) {
        for (const slice of family.slices(size, (meter) => this.catalogs.remove(family, meter))) {
          yield slice
        }
      }
    }
  }

  addFilter(filter: MeterFilter): void {
    this.#filters.add(filter)
    this.catalogs.forgetAliases(this.#filters.mapping)
    const names = this.catalogs.names()
    if (names.length > 0) {
      const message = `A filter was added when there were meters already, such as '${names[0]}'; they stay as they are`
      this.#diagnose({ kind: 'late-filter', message })
    }
  }

  remove({ id }: Meter): boolean {
    if (!(id instanceof Series) || !(id.home instanceof Family)) return false
    const meter = id.row < 0 ? id.home.table.untagged : id.home.table.entries[id.row]
    return meter !== undefined && this.catalogs.remove(id.home, meter)
  }

  /** What to do when a meter of this name cannot be read. */
  failing(meter: string): (error: unknown) => void {
    return (error) => {
      const message = `The meter '${meter}' could not be read: ${messageOf(error)}`
      this.#diagnose({ kind: 'reading-failed', message, meter, error })
    }
  }

  /** Says once a name that there is such a meter, with another function, already. */
  ignore({ id }: StoredMeter): void {
    if (!(id.home instanceof Family) || this.#ignored.has(id.name)) return
    this.#ignored.add(id.name)
    const message = `The meter '${id.name}' was registered before and goes on reading what it read`
    this.#diagnose({ kind: 'registered-before', message, meter: id.name })
  }

  close(): void {
    this.registration.closed = true
    this.#window.stop()
    this.#expiry.stop()
  }

  #timerOfError(id: MeterId, error: string, options: TimerOptions): { record(seconds: number): void } | undefined {
    const request = requestTimer(id.name, { ...options, description: id.description }, this.setups)
    try {
      const tags = tagSet(mergeTags(id.tags, [{ key: 'error', value: error }]))
      return this.registration.obtain(this.catalogs.timers, request, tags)
    } catch {
      return undefined
    }
  }
}

function createWindow(
  clock: Clock,
  { rotations = 3, rotation = '1m' }: NonNullable<MeterRegistryOptions['window']>,
): RollingWindow {
  if (!(Number.isInteger(rotations) && rotations >= 1)) {
    throw new RangeError(`window.rotations must be a whole number of 1 or more, not ${rotations}`)
  }
  return new RollingWindow(clock, rotations, positiveMilliseconds(rotation, 'window.rotation'))
}

function limitsOf({ expireAfter = {} }: MeterRegistryOptions): Map<MeterKind, number> {
  const limits = new Map<MeterKind, number>()
  for (const kind of ['counter', 'timer', 'summary', 'longTaskTimer'] as const) {
    const limit = expireAfter[kind]
    if (limit !== undefined) limits.set(kind, positiveMilliseconds(limit, `expireAfter.${kind}`))
  }
  return limits
}

function positiveMilliseconds(duration: Duration, option: string): number {
  const milliseconds = durationMilliseconds(duration, option)
  if (milliseconds > 0) return milliseconds
  throw new RangeError(`${option} must be longer than nothing, not ${JSON.stringify(duration)}`)
}

/** What a listener throws or rejects with must not fail the code that records. */
function guardDiagnose(diagnose: Diagnose = ({ message }) => console.warn(message)): Diagnose {
  return (diagnostic) => notify(diagnose, [diagnostic], () => {})
}
