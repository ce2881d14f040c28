import type { Exemplar, ExponentialSnapshot } from '../../metrics/snapshot.ts'
import type { MemberImage } from '../member-image.ts'
import { cellPlaces } from '../series-definition.ts'
import { bucketMapping } from './bucket-bounds.ts'
import { countOf, ExponentialSum, readExponential } from './exponential-histograms.ts'
import { type MemberPlan, ownerOf } from './member-plan.ts'
import type { MergedSeries } from './merged-series.ts'

/** What of the merged series is not in cells. */
export interface MergedDetails {
  /** By bucket. */
  readonly exemplars: ReadonlyMap<MergedSeries, readonly (Exemplar | undefined)[]>
  readonly exponentials: ReadonlyMap<MergedSeries, ExponentialSnapshot>
}

/** The exponential histograms of all members. */
export class ExponentialSums {
  /** `undefined` for a series whose measurements are not in the buckets of all members. */
  readonly #sums = new Map<MergedSeries, ExponentialSum | undefined>()

  add(plan: MemberPlan, index: number, cells: Float64Array): void {
    const definition = plan.definitions[index]
    const series = plan.series[index]
    const owner = series && ownerOf(series)
    const place = plan.places[index]
    if (definition === undefined || owner === undefined || place === undefined) return
    const count = cells[place + cellPlaces.count] ?? 0
    const exponential = readExponential(definition, cells, place)
    const isKnown = this.#sums.has(owner)
    const sum = this.#sums.get(owner)
    if (exponential === undefined || countOf(exponential) !== count) {
      // Without measurements there is nothing that would be missing.
      if (count > 0) this.#sums.set(owner, undefined)
    } else if (sum !== undefined) sum.add(exponential)
    else if (!isKnown) {
      const first = new ExponentialSum()
      first.add(exponential)
      this.#sums.set(owner, first)
    }
  }

  all(): ReadonlyMap<MergedSeries, ExponentialSnapshot> {
    const snapshots = new Map<MergedSeries, ExponentialSnapshot>()
    for (const [series, sum] of this.#sums) if (sum !== undefined) snapshots.set(series, sum.snapshot())
    return snapshots
  }
}

/** Keeps the latest exemplar of each bucket. */
export function addExemplars(
  latest: Map<MergedSeries, (Exemplar | undefined)[]>,
  plan: MemberPlan,
  { exemplars }: MemberImage,
): void {
  for (const { series: index, bucket, exemplar } of exemplars) {
    const series = plan.series[index]
    const owner = series && ownerOf(series)
    const layout = owner?.next
    if (owner === undefined || layout === undefined) continue
    const own = plan.bounds[index]
    const at = own === undefined || own === layout.bounds ? bucket : bucketMapping(own, layout.bounds)[bucket]
    if (at === undefined || !(at >= 0 && at <= layout.bounds.length)) continue
    const ofSeries = latest.get(owner) ?? new Array<Exemplar | undefined>(layout.bounds.length + 1).fill(undefined)
    latest.set(owner, ofSeries)
    const known = ofSeries[at]
    if (known === undefined || exemplar.timestamp > known.timestamp) ofSeries[at] = exemplar
  }
}
