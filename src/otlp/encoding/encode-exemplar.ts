import type { Exemplar } from '../../metrics/snapshot.ts'
import { type Field, isSpanId, isTraceId, type MessageWriter, writeTime } from './message-writer.ts'

/** `opentelemetry.proto.metrics.v1.Exemplar`. */
const exemplarFields = {
  time: { number: 2, name: 'timeUnixNano' },
  value: { number: 3, name: 'asDouble' },
  spanId: { number: 4, name: 'spanId' },
  traceId: { number: 5, name: 'traceId' },
} as const satisfies Record<string, Field>

/**
 * Writes an exemplar, unless it was recorded before `start`, in seconds since 1970. An id that no trace can have is
 * omitted: applications may supply their own.
 */
export function writeExemplar(out: MessageWriter, field: Field, exemplar: Exemplar | undefined, start: number): void {
  if (exemplar === undefined || exemplar.timestamp < start) return
  const token = out.begin(field)
  writeTime(out, exemplarFields.time, exemplar.timestamp * 1_000)
  out.double(exemplarFields.value, exemplar.value)
  if (isSpanId(exemplar.spanId)) out.id(exemplarFields.spanId, exemplar.spanId)
  if (isTraceId(exemplar.traceId)) out.id(exemplarFields.traceId, exemplar.traceId)
  out.end(token)
}
