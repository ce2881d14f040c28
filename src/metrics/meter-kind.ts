import type { DistributionDefaults, DistributionOptions } from './distribution/distribution-options.ts'
import type { DistributionSetup } from './distribution/distribution-setup.ts'
import type { Exemplars } from './exemplar.ts'
import type { MeterKindName, MeterOptions, StoredMeter } from './meter.ts'
import type { Series } from './series/series.ts'

/** A kind of meter, as a registry needs it. `meter-kinds.ts` lists the kinds. */
export interface MeterKind<M extends StoredMeter, O extends MeterOptions> {
  readonly name: MeterKindName
  /** The base unit of all meters of the kind. Default: the option `baseUnit`. */
  readonly baseUnit?: 'seconds'
  /**
   * Whether measurements beyond the limit of series are recorded into one series. If not, further meters are not read:
   * values of functions cannot be added up. Only meters that are recorded into expire, so this is also whether they
   * can.
   */
  readonly overflows: boolean
  /** Throws `TypeError` for an unknown option. Default: options are checked with the function that is read. */
  checkNames?(where: string, options: O): void
  /** Throws `RangeError` if an option of this kind alone is out of its range. */
  checkOptions?(options: O): void
  create(series: Series, options: O, context: MeterContext): M
}

/** What meters of all kinds are created with. */
export interface MeterContext {
  readonly exemplars: Exemplars | undefined
  /** Returns what meters with these options share, after the registry's filters have configured the options. */
  setupOf(options: DistributionOptions, defaults: DistributionDefaults): DistributionSetup
}
