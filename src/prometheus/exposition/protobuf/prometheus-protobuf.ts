import type { MeterSnapshot } from '../../../metrics/snapshot.ts'
import { type ExportedName, sampleNamesOf } from '../../naming.ts'
import type { ExpositionFormat, ExpositionPage, Family, FamilyWriter } from '../exposition-format.ts'
import { distributionFamily, gaugeDistributionFamily } from './distribution-family.ts'
import { MetricWriter } from './metric-writer.ts'
import { counterFamily, gaugeFamily } from './value-family.ts'

/**
 * Prometheus' binary format: messages of `io.prometheus.client.MetricFamily`, each after its length. The only format
 * with native histograms; also with exemplars, units and the start of each series.
 */
export const prometheusProtobuf: ExpositionFormat = {
  mediaType: 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited',
  namesOf,
  createPage: () => new ProtobufPage(),
}

/** Prometheus reads a gauge histogram as `_count` and `_sum`, unlike that of OpenMetrics. */
function namesOf(exported: ExportedName): readonly string[] {
  const names = sampleNamesOf(exported)
  return exported.type === 'gaugeDistribution' ? [...names, `${exported.name}_count`, `${exported.name}_sum`] : names
}

/** The size of the pieces that are rendered and written to a socket. */
const chunkBytes = 65_536

class ProtobufPage implements ExpositionPage {
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
