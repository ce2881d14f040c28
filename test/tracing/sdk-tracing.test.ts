import { describe, expect, it } from 'vitest'
import { createTraceIds } from '../../src/ids/trace-context/trace-ids.ts'
import { rootContext } from '../../src/tracing/context/context.ts'
import { createSdkTracing } from '../../src/tracing/create-tracing.ts'
import { currentTracing } from '../../src/tracing/current-tracing.ts'
import { type OpenTelemetrySpan, type OpenTelemetryTracer, spanKey } from '../../src/tracing/open-telemetry.ts'
import { SdkTracing } from '../../src/tracing/sdk-tracing.ts'
import { NonRecordingSpan } from '../../src/tracing/spans/non-recording-span.ts'
import { HeadSampler } from '../../src/tracing/trace-sampler.ts'
import { TracingControl } from '../../src/tracing/tracing-control.ts'

const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 0 }
const scope = { name: 'application' }
const ids = createTraceIds({})
const server = (isExcluded = false) => ({
  isExcluded: () => isExcluded,
  name: () => 'GET',
  attributes: () => ({ compute: () => ({ a: 1 }) }),
})

/** Returns a tracer of an SDK, and what it is asked for. */
function createTracer() {
  const started: Parameters<OpenTelemetryTracer['startSpan']>[] = []
  const tracer: OpenTelemetryTracer = {
    startSpan(...args) {
      started.push(args)
      const spanContext = { traceId: 'e'.repeat(32), spanId: `${started.length}`.repeat(16), traceFlags: 1 }
      return { spanContext: () => spanContext, isRecording: () => true, end() {} } as unknown as OpenTelemetrySpan
    },
  }
  return { tracer, started, names: () => started.map(([name]) => name) }
}

const broken: OpenTelemetryTracer = {
  startSpan() {
    throw new Error('broken')
  },
}

describe("a tracing with a tracer of OpenTelemetry's SDK", () => {
  it('starts spans with it, and is not that of the process by itself', () => {
    const { tracer, started } = createTracer()
    const tracing = createSdkTracing(tracer)
    expect(tracing.startSpan('work').context).toEqual({ traceId: 'e'.repeat(32), spanId: '1'.repeat(16), flags: 1 })
    expect(started).toStrictEqual([['work', { kind: 0 }, rootContext]])
    expect(currentTracing()).toBeUndefined()
  })

  it('gives it the attributes and the links that there are', () => {
    const { tracer, started } = createTracer()
    const tracing = createSdkTracing(tracer)
    tracing.startSpan('work', { kind: 'client', attributes: { a: 1 }, links: [caller] })
    tracing.startServerSpan(undefined, {}, server())
    const { traceId, spanId } = caller
    expect(started.map(([, options]) => options)).toStrictEqual([
      { kind: 2, attributes: { a: 1 }, links: [{ context: { traceId, spanId, traceFlags: 0, isRemote: true } }] },
      { kind: 1, attributes: { a: 1 } },
    ])
  })

  it('gives it the parent in a context', () => {
    const { tracer, started } = createTracer()
    const tracing = createSdkTracing(tracer)
    const outer = tracing.startSpan('outer', { parent: caller })
    tracing.startSpan('inner', { parent: outer })
    const parents = started.map(([, , context]) =>
      (context?.getValue(spanKey) as OpenTelemetrySpan | undefined)?.spanContext(),
    )
    expect(parents).toMatchObject([
      { traceId: caller.traceId, spanId: caller.spanId, traceFlags: 0, isRemote: true },
      { traceId: outer.context.traceId, spanId: outer.context.spanId },
    ])
  })

  it('passes on what is started through the API', () => {
    const { tracer, started } = createTracer()
    const options = { kind: 3 }
    createSdkTracing(tracer).startApiSpan(scope, 'sent', options, rootContext)
    expect(started).toStrictEqual([['sent', options, rootContext]])
  })

  it('does not start spans below one that is excluded', () => {
    const { tracer, names } = createTracer()
    const tracing = createSdkTracing(tracer)
    const excluded = tracing.startServerSpan(undefined, {}, server(true))
    expect(excluded).toBeInstanceOf(NonRecordingSpan)
    expect(tracing.startSpan('below', { parent: excluded })).toBeInstanceOf(NonRecordingSpan)
    expect(names()).toEqual([])
  })
})

describe("a tracing with a tracer of OpenTelemetry's SDK and a probability", () => {
  const setUp = (probability: number) => {
    const { tracer, names } = createTracer()
    const control = new TracingControl(new HeadSampler(probability, undefined), undefined)
    return { tracing: new SdkTracing(tracer, undefined, control, ids), names }
  }

  it('decides about roots and callers, and leaves what is below a span to the SDK', () => {
    const { tracing, names } = setUp(1)
    tracing.startSpan('root')
    tracing.startSpan('called', { parent: caller })
    const sampled = tracing.startSpan('called by a sampled one', { parent: { ...caller, flags: 1 } })
    tracing.startSpan('below', { parent: sampled })
    expect(names()).toEqual(['root', 'called by a sampled one', 'below'])
  })

  it('starts no root that is not sampled', () => {
    const { tracing, names } = setUp(0)
    expect(tracing.startSpan('root').context.flags).toBe(2)
    expect(tracing.startServerSpan(undefined, {}, server()).context.flags).toBe(2)
    expect(names()).toEqual([])
  })
})

describe("a tracer of OpenTelemetry's SDK that throws", () => {
  const tracing = createSdkTracing(broken)

  it('leaves a span that is not recorded, and not marked as sampled', () => {
    expect(tracing.startSpan('work').context.flags).toBe(2)
    expect(tracing.startServerSpan(undefined, {}, server()).context.flags).toBe(2)
    expect(tracing.startApiSpan(scope, 'work', {}, rootContext).spanContext().traceFlags).toBe(2)
  })

  it('leaves a span in the trace of its parent', () => {
    const { traceId } = caller
    const parent = { ...caller, flags: 1 }
    expect(tracing.startSpan('work', { parent }).context).toMatchObject({ traceId, flags: 1 })
  })
})
