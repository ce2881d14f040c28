import { parseTraceparent, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { type Answer, want, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import { type Trial, wantEqual } from './subject.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const called = `00-${traceId}-${spanId}-03`

/** The trace context that the route would propagate. */
function sentOn(answer: Answer): TraceContext {
  const { traceparent } = objectOf(answer)
  const context = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined
  want(answer, context !== undefined, 'a traceparent')
  return context
}

const traceCases: readonly Omit<Trial, 'options'>[] = [
  {
    title: 'a route runs in the trace of its caller, in a span of its own',
    async attempt({ askFor }) {
      const answer = await askFor('/trace/1', { headers: { TraceParent: called, Tracestate: 'foo=1,  bar=2' } })
      const context = sentOn(answer)
      want(answer, context.traceId === traceId && context.spanId !== spanId, `a new span in the trace ${traceId}`)
      wantEqual(answer, objectOf(answer)['tracestate'], 'foo=1,bar=2')
    },
  },
  {
    title: 'a route starts a new trace without a valid traceparent',
    async attempt({ askFor }) {
      const first = await askFor('/trace/2')
      const second = await askFor('/trace/3', { headers: { traceparent: `${called}-more`, tracestate: 'foo=1' } })
      const ids = new Set([traceId, sentOn(first).traceId, sentOn(second).traceId])
      want(second, ids.size === 3, 'a new trace')
      want(second, !('tracestate' in objectOf(second)), 'no tracestate')
    },
  },
  {
    title: 'a route continues an unsampled trace as unsampled',
    async attempt({ askFor }) {
      const answer = await askFor('/trace/4', { headers: { traceparent: `00-${traceId}-${spanId}-00` } })
      const { flags, ...context } = sentOn(answer)
      want(
        answer,
        context.traceId === traceId && context.spanId !== spanId && flags === 0,
        'the trace, with the flags 00',
      )
    },
  },
  {
    title: 'a route stays in its trace after reading a body',
    async attempt({ askFor }) {
      const content = JSON.stringify({ item: 'tea'.repeat(20_000) })
      const headers = { 'Content-Type': 'application/json', traceparent: called }
      const answer = await askFor('/trace/5', { method: 'POST', headers, content })
      wantStatus(answer, 200)
      want(answer, objectOf(answer)['body'] === content, 'the body')
      want(answer, sentOn(answer).traceId === traceId, `the trace ${traceId}`)
    },
  },
  {
    title: 'a route stays in its own trace among a hundred concurrent requests',
    async attempt({ askFor }) {
      const traces = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(32, 'a'))
      const answers = await Promise.all(
        traces.map((trace) => askFor('/trace/6', { headers: { traceparent: `00-${trace}-${spanId}-01` } })),
      )
      for (const [index, answer] of answers.entries())
        want(answer, sentOn(answer).traceId === traces[index], `the trace ${traces[index]}`)
    },
  },
  {
    title: 'a problem document has the trace id of the request, with and without a caller’s trace',
    async attempt({ askFor }) {
      const continued = await askFor('/fail/type', { headers: { traceparent: called } })
      wantEqual(continued, objectOf(continued)['trace_id'], traceId)
      const begun = await askFor('/fail/type')
      const { trace_id: own } = objectOf(begun)
      want(begun, typeof own === 'string' && /^(?!0+$)[\da-f]{32}$/.test(own), 'a trace id')
    },
  },
]

/** Tracing without an exporter: only propagation and error documents show it. */
export const traceTrials: readonly Trial[] = traceCases.map((one) => ({ ...one, options: { tracing: true } }))
