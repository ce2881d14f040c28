import { gunzipSync } from 'node:zlib'
import { getProtoRoot } from '@elastic/mockotlpserver/lib/proto.js'

/** A message of OTLP as plain objects, with numbers for what is long, and texts for enums. */
export interface MetricsRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeMetrics: readonly { readonly scope: { readonly name: string }; readonly metrics: readonly Metric[] }[]
  }[]
}

export interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly SentSpan[] }[]
  }[]
}

export interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

export interface Metric {
  readonly name: string
  readonly description?: string
  readonly unit?: string
  readonly sum?: {
    readonly dataPoints: readonly Point[]
    readonly isMonotonic: boolean
    readonly aggregationTemporality: string
  }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[]; readonly aggregationTemporality: string }
  readonly exponentialHistogram?: { readonly dataPoints: readonly Point[]; readonly aggregationTemporality: string }
}

export type Point = { readonly attributes?: readonly KeyValue[] } & Readonly<Record<string, unknown>>

export interface SentSpan {
  readonly name: string
  /** In hexadecimal. */
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: string
  readonly attributes?: readonly KeyValue[]
  readonly status?: { readonly code?: string; readonly message?: string }
  readonly flags?: number
}

export interface LogsRequest {
  readonly resourceLogs: readonly { readonly scopeLogs: readonly { readonly logRecords: readonly SentRecord[] }[] }[]
}

export interface SentRecord {
  readonly severityText: string
  readonly body?: { readonly stringValue?: string }
  readonly attributes?: readonly KeyValue[]
  /** In hexadecimal. */
  readonly traceId?: string
  readonly spanId?: string
  readonly flags?: number
}

const service = 'opentelemetry.proto.collector'
const metricsRequest = getProtoRoot().lookupType(`${service}.metrics.v1.ExportMetricsServiceRequest`)
const traceRequest = getProtoRoot().lookupType(`${service}.trace.v1.ExportTraceServiceRequest`)
const logsRequest = getProtoRoot().lookupType(`${service}.logs.v1.ExportLogsServiceRequest`)
const metricsResponse = getProtoRoot().lookupType(`${service}.metrics.v1.ExportMetricsServiceResponse`)
const traceResponse = getProtoRoot().lookupType(`${service}.trace.v1.ExportTraceServiceResponse`)

function inflate(body: Uint8Array, encoding: string | undefined): Uint8Array {
  return encoding === 'gzip' ? gunzipSync(body) : body
}

export function decodeMetrics(body: Uint8Array, encoding?: string): MetricsRequest {
  const message = metricsRequest.decode(inflate(body, encoding))
  return metricsRequest.toObject(message, { longs: Number, enums: String, bytes: hex, arrays: false })
}

export function decodeTraces(body: Uint8Array, encoding?: string): TraceRequest {
  const message = traceRequest.decode(inflate(body, encoding))
  return withHexIds(traceRequest.toObject(message, { longs: Number, enums: String, bytes: Array }))
}

export function decodeLogs(body: Uint8Array, encoding?: string): LogsRequest {
  const message = logsRequest.decode(inflate(body, encoding))
  return withHexIds(logsRequest.toObject(message, { longs: Number, enums: String, bytes: Array }))
}

function withHexIds<T>(message: unknown): T {
  return JSON.parse(
    JSON.stringify(message, (key, value) => (/Id$/.test(key) && Array.isArray(value) ? hex(value) : value)),
  )
}

/** What a receiver answers that has not taken all. */
export function encodePartialSuccess(path: string, rejected: number, errorMessage: string): Uint8Array {
  return path.endsWith('/traces')
    ? traceResponse.encode({ partialSuccess: { rejectedSpans: rejected, errorMessage } }).finish()
    : metricsResponse.encode({ partialSuccess: { rejectedDataPoints: rejected, errorMessage } }).finish()
}

function hex(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('hex')
}

export const metricsOf = ({ resourceMetrics = [] }: Partial<MetricsRequest>): readonly Metric[] =>
  resourceMetrics.flatMap(({ scopeMetrics = [] }) => scopeMetrics.flatMap(({ metrics = [] }) => metrics))

export const spansOf = ({ resourceSpans = [] }: Partial<TraceRequest>): readonly SentSpan[] =>
  resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans = [] }) => spans))

export const recordsOf = ({ resourceLogs = [] }: Partial<LogsRequest>): readonly SentRecord[] =>
  resourceLogs.flatMap(({ scopeLogs = [] }) => scopeLogs.flatMap(({ logRecords = [] }) => logRecords))

/** Attributes by key. */
export function attributesOf(attributes: readonly KeyValue[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
