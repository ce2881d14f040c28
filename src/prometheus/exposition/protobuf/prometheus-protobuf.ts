import { type ExportedName, sampleNamesOf } from '../../naming.ts'
import type { ExpositionFormat } from '../exposition.ts'

/**
 * Prometheus' binary format: messages of `io.prometheus.client.MetricFamily`, each after its length. The only format
 * with native histograms; also with exemplars, units and the start of each series.
 */
export const prometheusProtobuf: ExpositionFormat = {
  mediaType: 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited',
  namesOf,
  // Loaded with the first page: applications that are read as text never need it.
  createPage: () => import('./protobuf-page.ts').then(({ ProtobufPage }) => new ProtobufPage()),
}

/** Prometheus reads a gauge histogram as `_count` and `_sum`, unlike that of OpenMetrics. */
function namesOf(exported: ExportedName): readonly string[] {
  const names = sampleNamesOf(exported)
  return exported.type === 'gaugeDistribution' ? [...names, `${exported.name}_count`, `${exported.name}_sum`] : names
}
