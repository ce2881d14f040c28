import type { AddressInfo } from 'node:net'
import { parseTraceparent, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { type Answer, want, wantStatus } from '../answer.ts'
import { noRelay, skip } from '../check-result.ts'
import { objectOf } from '../json.ts'
import type { Rule } from '../rule.ts'
import type { Service } from '../service.ts'
import { statusesOf } from './health/report-tree.ts'

const section = 'W3C Trace Context §3.2'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const sound = `00-${traceId}-${spanId}-01`

/** Returns the trace id of the problem document for a request with this traceparent. */
async function toldTrace(service: Service, traceparent: string) {
  const answer = await service.ask('/no-such-endpoint', { headers: { traceparent } })
  wantStatus(answer, 404)
  return { answer, told: objectOf(answer)['trace_id'] }
}

/** A rule that a traceparent is ignored without effect. */
function passedOver(id: string, what: string, traceparent: string): Rule {
  return {
    id: `trace.malformed.${id}`,
    says: `A traceparent ${what} MUST be ignored.`,
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
    says: 'A problem document SHOULD have the trace id of the request.',
    section: 'What the service does, 4',
    async check(service) {
      const { answer, told } = await toldTrace(service, sound)
      want(answer, told === traceId, `"trace_id":"${traceId}"`)
    },
  },
  {
    id: 'trace.error.own-trace',
    says: 'A trace id in a problem document MUST be 32 lower-case hexadecimal digits, not all zeros.',
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
    says: 'A traceparent of a future version MUST be read as far as it is known.',
    section,
    async check(service) {
      const { answer, told } = await toldTrace(service, `cc-${traceId}-${spanId}-01-what-the-future-brings`)
      want(answer, told === traceId, `"trace_id":"${traceId}"`)
    },
  },
  passedOver('zero-trace', 'with an all-zero trace id', `00-${'0'.repeat(32)}-${spanId}-01`),
  passedOver('zero-span', 'with an all-zero span id', `00-${traceId}-${'0'.repeat(16)}-01`),
  passedOver('version-ff', 'of the forbidden version', `ff-${traceId}-${spanId}-01`),
  passedOver('capitals', 'in upper case', sound.toUpperCase()),
  passedOver('short', 'that is too short', `00-${traceId}-${spanId}`),
  passedOver('long', 'of version 00 with additional fields', `${sound}-00`),
  passedOver('no-hex', 'with non-hexadecimal characters', `00-${traceId.replace('0', 'g')}-${spanId}-01`),
  {
    id: 'trace.informational',
    says: 'Trace fields MUST NOT change the response.',
    section: 'Conventions for endpoints, custom headers',
    needs: ['health'],
    shared: true,
    async check(service) {
      const plain = await service.ask('/health/liveness')
      for (const traceparent of [sound, 'nonsense', '00-x']) {
        const headers = { traceparent, tracestate: '=,;', 'X-B3-TraceId': traceId }
        const answer = await service.ask('/health/liveness', { headers })
        wantStatus(answer, plain.status)
        want(answer, statusesOf(answer) === statusesOf(plain), `the content ${plain.text}`)
      }
    },
  },
  relayed(
    'same-trace',
    'A request sent by the service MUST continue the trace of the request being handled.',
    ({ answer, trace }) => {
      want(answer, trace?.traceId === traceId, `a traceparent of the trace ${traceId}`)
    },
    sound,
  ),
  relayed(
    'own-span',
    'A request sent by the service MUST have a span id of its own.',
    ({ answer, trace }) => {
      want(answer, trace !== undefined && trace.spanId !== spanId, `a traceparent with another span id than ${spanId}`)
    },
    sound,
  ),
  relayed(
    'flags',
    'An unsampled trace MUST NOT become sampled.',
    ({ answer, trace }) => {
      want(answer, trace !== undefined && (trace.flags & 1) === 0, 'a traceparent without the flag 01')
    },
    `00-${traceId}-${spanId}-00`,
  ),
  relayed(
    'tracestate',
    'The tracestate of the caller SHOULD be propagated.',
    ({ answer, tracestate }) => {
      want(answer, /(^|,)\s*vendor=1/.test(tracestate ?? ''), 'a tracestate with vendor=1')
    },
    sound,
  ),
  relayed(
    'new-trace',
    'Without a trace of the caller, a request sent by the service MUST start one.',
    ({ answer, trace }) => {
      want(answer, trace !== undefined, 'a valid traceparent')
    },
  ),
  relayed(
    'malformed',
    'Nothing of a malformed traceparent MUST be propagated.',
    ({ answer, traceparent, trace }) => {
      want(
        answer,
        trace !== undefined && !traceparent?.includes(traceId),
        `a valid traceparent of another trace than ${traceId}`,
      )
    },
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ),
]

/** A request sent by the service while it handled one. */
interface Relayed {
  /** The response of the service, with the request that it sent. */
  readonly answer: Answer
  readonly traceparent: string | undefined
  readonly trace: TraceContext | undefined
  readonly tracestate: string | undefined
}

/** Starts a server on this host for one request of the service. */
async function listenForRelay(service: Service, headers: Readonly<Record<string, string>>): Promise<Relayed> {
  const { relay = skip(noRelay) } = service.settings
  const { createServer } = process.getBuiltinModule('node:http')
  let came: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  const server = createServer((req, res) => {
    came = req.headers
    res.end('ok')
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const answer = await service.askApplication(relay.replace('{url}', encodeURIComponent(url)), { headers })
    want(answer, came !== undefined, `a request of the service to ${url}`)
    const traceparent = textOf(came['traceparent'])
    const made = `\n(and the service sent traceparent: ${traceparent})`
    return {
      answer: { ...answer, sent: answer.sent + made },
      traceparent,
      trace: parseTraceparent(traceparent),
      tracestate: textOf(came['tracestate']),
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}
