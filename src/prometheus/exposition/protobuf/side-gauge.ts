import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import { FamilyMessage } from './family-message.ts'
import { fields, metricTypes } from './fields.ts'
import { numberOf } from './shared-messages.ts'
import type { SliceLabels } from './slice-labels.ts'

/**
 * A family of gauges derived from another family, such as `_max`: its values are collected with that family's series,
 * and written after them.
 */
export class SideGauge {
  readonly #name: string
  readonly #labels: SliceLabels[] = []
  readonly #indices: number[] = []
  readonly #values: number[] = []

  constructor(name: string) {
    this.#name = name
  }

  /** Adds the value of a series, which has the labels at the index. */
  add(labels: SliceLabels, index: number, value: number): void {
    this.#labels.push(labels)
    this.#indices.push(index)
    this.#values.push(value)
  }

  /** Writes the collected values. Yields now and then, so that the work can be spread. */
  *write(out: ProtobufWriter, help: string): Generator<undefined, void> {
    const family = new FamilyMessage(out, { name: this.#name, help, type: metricTypes.gauge, unit: undefined })
    for (const [at, { bytes, starts }] of this.#labels.entries()) {
      if (at % 64 === 63) {
        family.endIfLong()
        yield
      }
      family.begin()
      const index = this.#indices[at] as number
      const metric = out.begin(fields.metricFamily.metric)
      out.raw(bytes, starts[index], starts[index + 1])
      const gauge = out.begin(fields.metric.gauge)
      out.double(fields.value, numberOf(this.#values[at] as number))
      out.end(gauge)
      out.end(metric)
    }
    family.end()
  }
}
