import { sampleNamesOf } from '../../naming.ts'
import type { ExpositionFormat } from '../exposition.ts'

/**
 * Prometheus' binary format: messages of `io.prometheus.client.MetricFamily`, each after its length. The only format
 * with native histograms; also with exemplars, units and the start of each series.
 */
export const prometheusProtobuf: ExpositionFormat = {
  mediaType: 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited',
  namesOf: sampleNamesOf,
  // Loaded with the first page: applications that are read as text never need it.
  createPage: () => import('./protobuf-page.ts').then(({ ProtobufPage }) => new ProtobufPage()),
}
