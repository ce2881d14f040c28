import type { MeterSnapshot } from '../../../metrics/snapshot.ts'
import type { ExpositionPage, Family, FamilyWriter } from '../exposition.ts'
import { distributionFamily, gaugeDistributionFamily } from './distribution-family.ts'
import { MetricWriter } from './messages.ts'
import { counterFamily, gaugeFamily } from './value-family.ts'

/** The size of the pieces that are rendered and written to a socket. */
const chunkBytes = 65_536

/** A page of messages of `io.prometheus.client.MetricFamily`, each after its length. */
export class ProtobufPage implements ExpositionPage {
  readonly #out = new MetricWriter()

  openFamily(family: Family, first: readonly MeterSnapshot[]): FamilyWriter {
    const out = this.#out
    switch (family.exported.type) {
      case 'counter':
      case 'unknown':
        return counterFamily(out, family)
      case 'gauge':
      case 'info':
        return gaugeFamily(out, family, first)
      case 'distribution':
        return distributionFamily(out, family, first)
      case 'gaugeDistribution':
        return gaugeDistributionFamily(out, family, first)
    }
  }

  /** Nothing follows the last family. */
  close(): void {}

  get full(): number {
    const { isComplete, length } = this.#out
    return isComplete && length >= chunkBytes ? length : 0
  }

  take(rest: boolean): readonly Uint8Array[] {
    return rest || this.full > 0 ? this.#out.take() : []
  }

  reuse(chunk: Uint8Array): void {
    this.#out.reuse([chunk])
  }
}
