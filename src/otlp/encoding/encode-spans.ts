import type { OpenTelemetrySpanContext } from '../../tracing/open-telemetry.ts'
import { maxAttributes, type RecordedValue } from '../../tracing/spans/attributes.ts'
import type { EndedSpan, SpanEvent, SpanLink } from '../../tracing/spans/span-recorder.ts'
import type { HrTime } from '../../tracing/spans/span-times.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { writeAttribute, writeAttributes } from './encode-attributes.ts'
import { type BatchEncoder, createBatchEncoder, type Scope } from './envelope.ts'
import { type Encoding, type Field, isSpanId, isTraceId, type MessageWriter } from './message-writer.ts'

/** Returns a function that encodes spans as a request. */
export function createSpanEncoder(encoding: Encoding, resource: ResourceAttributes): BatchEncoder<EndedSpan> {
  const item = { number: 2, name: 'spans', isRepeated: true } as const
  return createBatchEncoder({
    ...{ encoding, resource, item },
    outer: ['resourceSpans', 'scopeSpans'],
    group: byScope,
    write: writeSpan,
  })
}

function byScope(spans: readonly EndedSpan[]): Iterable<readonly [Scope, readonly EndedSpan[]]> {
  const first = spans[0]?.instrumentationScope
  if (first === undefined) return []
  if (spans.every(({ instrumentationScope }) => instrumentationScope === first)) return [[first, spans]]
  const groups = new Map<Scope, EndedSpan[]>()
  for (const span of spans) {
    const group = groups.get(span.instrumentationScope) ?? []
    groups.set(span.instrumentationScope, group)
    group.push(span)
  }
  return groups
}

/** `opentelemetry.proto.trace.v1.Span`. */
const fields = {
  traceId: { number: 1, name: 'traceId' },
  spanId: { number: 2, name: 'spanId' },
  traceState: { number: 3, name: 'traceState' },
  parentSpanId: { number: 4, name: 'parentSpanId' },
  name: { number: 5, name: 'name' },
  kind: { number: 6, name: 'kind' },
  startTime: { number: 7, name: 'startTimeUnixNano' },
  endTime: { number: 8, name: 'endTimeUnixNano' },
  attributes: { number: 9, name: 'attributes', isRepeated: true },
  droppedAttributes: { number: 10, name: 'droppedAttributesCount' },
  events: { number: 11, name: 'events', isRepeated: true },
  droppedEvents: { number: 12, name: 'droppedEventsCount' },
  links: { number: 13, name: 'links', isRepeated: true },
  droppedLinks: { number: 14, name: 'droppedLinksCount' },
  status: { number: 15, name: 'status' },
  flags: { number: 16, name: 'flags' },
} as const satisfies Record<string, Field>

const statusFields = {
  message: { number: 2, name: 'message' },
  code: { number: 3, name: 'code' },
} as const satisfies Record<string, Field>

const eventFields = {
  time: { number: 1, name: 'timeUnixNano' },
  name: { number: 2, name: 'name' },
  attributes: { number: 3, name: 'attributes', isRepeated: true },
  droppedAttributes: { number: 4, name: 'droppedAttributesCount' },
} as const satisfies Record<string, Field>

const linkFields = {
  traceId: { number: 1, name: 'traceId' },
  spanId: { number: 2, name: 'spanId' },
  traceState: { number: 3, name: 'traceState' },
  attributes: { number: 4, name: 'attributes', isRepeated: true },
  droppedAttributes: { number: 5, name: 'droppedAttributesCount' },
  flags: { number: 6, name: 'flags' },
} as const satisfies Record<string, Field>

/** A link, whose attributes only OpenTelemetry's API sets. */
type Link = SpanLink & {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly droppedAttributesCount?: number
}

/** `SpanFlags`: whether the following bit is known, and whether the context is of another process. */
const hasIsRemote = 0x100
const isRemote = 0x200

/** Writes the fields of a span. */
function writeSpan(out: MessageWriter, span: EndedSpan): void {
  const context = span.spanContext()
  const parent = span.parentSpanContext
  out.id(fields.traceId, context.traceId)
  out.id(fields.spanId, context.spanId)
  writeTraceState(out, fields.traceState, context)
  if (parent !== undefined) out.id(fields.parentSpanId, parent.spanId)
  out.string(fields.name, span.name)
  // OTLP numbers the kinds from 1, with 0 for an unspecified one.
  out.uint32(fields.kind, span.kind + 1)
  writeHrTime(out, fields.startTime, span.startTime)
  writeHrTime(out, fields.endTime, span.endTime)
  const written = writeSpanAttributes(out, span)
  // Only then are any dropped; counting them computes all attributes again.
  if (written >= maxAttributes) writeCount(out, fields.droppedAttributes, span.droppedAttributesCount)
  for (const event of span.events) writeEvent(out, event)
  writeCount(out, fields.droppedEvents, span.droppedEventsCount)
  for (const link of span.links) writeLink(out, link)
  writeCount(out, fields.droppedLinks, span.droppedLinksCount)
  writeStatus(out, span)
  out.fixed32(fields.flags, flagsOf(context.traceFlags, parent?.isRemote))
}

/** The span that is being written: one function for all spans, in place of one for each. */
const visit = /* @__PURE__ */ (() => {
  const state = {
    out: undefined as MessageWriter | undefined,
    written: 0,
    add(key: string, value: RecordedValue): void {
      if (state.out === undefined) return
      writeAttribute(state.out, fields.attributes, key, value)
      state.written += 1
    },
  }
  return state
})()

/** Writes the attributes of a span. Returns how many. */
function writeSpanAttributes(out: MessageWriter, span: EndedSpan): number {
  if (span.forEachAttribute === undefined) return writeAttributes(out, fields.attributes, span.attributes)
  visit.out = out
  visit.written = 0
  span.forEachAttribute(visit.add)
  return visit.written
}

function writeStatus(out: MessageWriter, { status: { code, message = '' } }: EndedSpan): void {
  const token = out.begin(fields.status)
  if (message !== '') out.string(statusFields.message, message)
  writeCount(out, statusFields.code, code)
  out.end(token)
}

function writeEvent(out: MessageWriter, event: SpanEvent): void {
  const token = out.begin(fields.events)
  writeHrTime(out, eventFields.time, event.time)
  out.string(eventFields.name, event.name)
  writeAttributes(out, eventFields.attributes, event.attributes)
  writeCount(out, eventFields.droppedAttributes, event.droppedAttributesCount)
  out.end(token)
}

/** Writes a link, unless the application has made up its context. */
function writeLink(out: MessageWriter, { context, attributes = {}, droppedAttributesCount = 0 }: Link): void {
  if (!isTraceId(context.traceId) || !isSpanId(context.spanId)) return
  const token = out.begin(fields.links)
  out.id(linkFields.traceId, context.traceId)
  out.id(linkFields.spanId, context.spanId)
  writeTraceState(out, linkFields.traceState, context)
  writeAttributes(out, linkFields.attributes, attributes)
  writeCount(out, linkFields.droppedAttributes, droppedAttributesCount)
  out.fixed32(linkFields.flags, flagsOf(context.traceFlags, context.isRemote))
  out.end(token)
}

function writeTraceState(out: MessageWriter, field: Field, { traceState }: OpenTelemetrySpanContext): void {
  const text = traceState?.serialize()
  if (text) out.string(field, text)
}

function writeHrTime(out: MessageWriter, field: Field, time: HrTime): void {
  out.time(field, time[0], time[1])
}

function writeCount(out: MessageWriter, field: Field, count: number): void {
  if (count > 0) out.uint32(field, count)
}

function flagsOf(traceFlags: number, fromRemote = false): number {
  return (traceFlags & 0xff) | hasIsRemote | (fromRemote ? isRemote : 0)
}
