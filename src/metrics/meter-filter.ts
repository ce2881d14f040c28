import type { DistributionOptions } from './distribution-options.ts'
import type { MeterKind } from './meter.ts'
import type { Tag } from './snapshot.ts'
import { mergeTags, tagText } from './tags.ts'

/** A meter that is about to be made. */
export interface MeterDescription {
  readonly kind: MeterKind
  readonly name: string
  /** Sorted by key. */
  readonly tags: readonly Tag[]
  readonly description: string | undefined
  readonly baseUnit: string | undefined
}

export type Verdict = 'accept' | 'deny' | 'neutral'

/** Changes, admits and configures meters before they are made. Meters that exist already stay as they are. */
export interface MeterFilter {
  /** Another description for the meter; each filter gets what the one before made of it. */
  map?(meter: MeterDescription): MeterDescription
  /** Whether there is to be such a meter: the first filter that is not neutral decides, and if all are, there is. */
  accept?(meter: MeterDescription): Verdict
  /** Other options for a timer, a summary or a long task timer; each filter gets what the one before made of them. */
  configure?(meter: MeterDescription, options: DistributionOptions): DistributionOptions
}

/** The filters of a registry, in the order in which they were added: first all map, then all accept, then all configure. */
export class FilterChain {
  /** Whether a meter may be made under another name or with other tags than it was asked for. */
  mapping = false
  judging = false
  configuring = false
  readonly #filters: MeterFilter[] = []

  constructor(filters: readonly MeterFilter[]) {
    for (const filter of filters) this.add(filter)
  }

  add(filter: MeterFilter): void {
    this.#filters.push(filter)
    this.mapping ||= filter.map !== undefined
    this.judging ||= filter.accept !== undefined
    this.configuring ||= filter.configure !== undefined
  }

  /** @throws TypeError when a filter made no tags of the tags. */
  map(meter: MeterDescription): MeterDescription {
    const mapped = this.#filters.reduce((mapping, filter) => filter.map?.(mapping) ?? mapping, meter)
    if (!Array.isArray(mapped.tags))
      throw new TypeError(`A filter took the list of tags from the meter '${meter.name}'`)
    return {
      ...mapped,
      tags: mergeTags(
        [],
        mapped.tags.map(({ key, value }) => ({ key, value: tagText(key, value) })),
      ),
    }
  }

  /** @throws TypeError when a filter answered anything else: to deny by mistake would not be noticed. */
  accepts(meter: MeterDescription): boolean {
    for (const filter of this.#filters) {
      const verdict = filter.accept?.(meter) ?? 'neutral'
      if (verdict === 'accept') return true
      if (verdict === 'deny') return false
      if (verdict !== 'neutral') {
        throw new TypeError(
          `A filter must answer 'accept', 'deny' or 'neutral' about '${meter.name}', not ${String(verdict)}`,
        )
      }
    }
    return true
  }

  configure(meter: MeterDescription, options: DistributionOptions): DistributionOptions {
    return this.#filters.reduce((configured, filter) => filter.configure?.(meter, configured) ?? configured, options)
  }
}
