import { want, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import type { Rule } from '../rule.ts'
import type { Service } from '../service.ts'
import { listenForRelay } from './relayed.ts'

const section = 'W3C Trace Context §3.2'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const sound = `00-${traceId}-${spanId}-01`

/** The trace that an error document tells of, for a request with this traceparent. */
async function toldTrace(service: Service, traceparent: string) {
  const answer = await service.ask('/no-such-endpoint', { headers: { traceparent } })
  wantStatus(answer, 404)
  return { answer, told: objectOf(answer)['trace_id'] }
}

/** A rule that a traceparent is passed over, and harms nothing. */
function passedOver(id: string, what: string, traceparent: string): Rule {
  return {
    id: `trace.malformed.${id}`,
    says: `A traceparent ${what} MUST be passed over.`,
    section,
    async check(service) {
      const { answer, told } = await toldTrace(service, traceparent)
      const sent = /[\da-f]{32}/i.exec(traceparent)?.[0].toLowerCase() ?? traceId
      want(answer, told === undefined || (typeof told === 'string' && told !== sent), `no "trace_id":"${sent}"`)
    },
  }
}

const relayed = (
  id: string,
  says: string,
  holds: (relay: Awaited<ReturnType<typeof listenForRelay>>) => void,
  traceparent?: string,
): Rule => ({
  id: `trace.relay.${id}`,
  says,
  section: 'What the service does, 4; W3C Trace Context §3.4',
  needs: ['relay'],
  async check(service) {
    holds(await listenForRelay(service, traceparent === undefined ? {} : { traceparent, tracestate: 'vendor=1' }))
  },
})

export const traceRules: readonly Rule[] = [
  {
    id: 'trace.error.trace-id',
    says: 'An error document SHOULD name the trace that the request belongs to.',
    section: 'What the service does, 4',
    async check(service) {
      const { answer, told } = await toldTrace(service, sound)
      want(answer, told === traceId, `"trace_id":"${traceId}"`)
    },
  },
  {
    id: 'trace.error.own-trace',
    says: 'A trace id in an error document MUST be 32 lower-case hexadecimal digits, not all zeros.',
    section: 'Log record',
    async check(service) {
      const answer = await service.ask('/no-such-endpoint')
      const { trace_id: told } = objectOf(answer)
      want(
        answer,
        told === undefined || (/^[\da-f]{32}$/.test(String(told)) && !/^0+$/.test(String(told))),
        'such a trace_id, or none',
      )
    },
  },
  {
    id: 'trace.future-version',
    says: 'A traceparent of a version to come MUST be read as far as it is known.',
    section,
    async check(service) {
      const { answer, told } = await toldTrace(service, `cc-${traceId}-${spanId}-01-what-the-future-brings`)
      want(answer, told === traceId, `"trace_id":"${traceId}"`)
    },
  },
  passedOver('zero-trace', 'of the trace of all zeros', `00-${'0'.repeat(32)}-${spanId}-01`),
  passedOver('zero-span', 'of the span of all zeros', `00-${traceId}-${'0'.repeat(16)}-01`),
  passedOver('version-ff', 'of the forbidden version', `ff-${traceId}-${spanId}-01`),
  passedOver('capitals', 'in capital letters', sound.toUpperCase()),
  passedOver('short', 'that is too short', `00-${traceId}-${spanId}`),
  passedOver('long', 'of version 00 with more behind it', `${sound}-00`),
  passedOver('no-hex', 'with letters that are no digits', `00-${traceId.replace('0', 'g')}-${spanId}-01`),
  {
    id: 'trace.informational',
    says: 'Trace fields MUST NOT change what is answered.',
    section: 'Conventions for endpoints, custom headers',
    needs: ['health'],
    shared: true,
    async check(service) {
      const plain = await service.ask('/health/liveness')
      for (const traceparent of [sound, 'nonsense', '00-x']) {
        const headers = { traceparent, tracestate: '=,;', 'X-B3-TraceId': traceId }
        const answer = await service.ask('/health/liveness', { headers })
        wantStatus(answer, plain.status)
        want(answer, answer.text === plain.text, `the content ${plain.text}`)
      }
    },
  },
  relayed(
    'same-trace',
    'A request that the service makes MUST belong to the trace of the one that it answers.',
    ({ answer, trace }) => {
      want(answer, trace?.traceId === traceId, `a traceparent of the trace ${traceId}`)
    },
    sound,
  ),
  relayed(
    'own-span',
    'A request that the service makes MUST name a span of its own.',
    ({ answer, trace }) => {
      want(answer, trace !== undefined && trace.spanId !== spanId, `a traceparent with another span than ${spanId}`)
    },
    sound,
  ),
  relayed(
    'flags',
    'A trace that is not sampled MUST NOT become one that is.',
    ({ answer, trace }) => {
      want(answer, trace !== undefined && (trace.flags & 1) === 0, 'a traceparent without the flag 01')
    },
    `00-${traceId}-${spanId}-00`,
  ),
  relayed(
    'tracestate',
    'The tracestate of the caller SHOULD be passed on.',
    ({ answer, tracestate }) => {
      want(answer, /(^|,)\s*vendor=1/.test(tracestate ?? ''), 'a tracestate with vendor=1')
    },
    sound,
  ),
  relayed(
    'new-trace',
    'Without a caller’s trace, a request that the service makes MUST begin one.',
    ({ answer, trace }) => {
      want(answer, trace !== undefined, 'a sound traceparent')
    },
  ),
  relayed(
    'malformed',
    'Nothing of a traceparent that is malformed MUST be passed on.',
    ({ answer, traceparent, trace }) => {
      want(
        answer,
        trace !== undefined && !traceparent?.includes(traceId),
        `a sound traceparent of another trace than ${traceId}`,
      )
    },
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ),
]
