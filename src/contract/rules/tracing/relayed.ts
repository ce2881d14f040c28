import type { AddressInfo } from 'node:net'
import { parseTraceparent, type TraceContext } from '../../../ids/trace-context/traceparent.ts'
import type { Answer } from '../../answer.ts'
import { want } from '../../answer.ts'
import type { Service } from '../../service.ts'
import { noRelay, skip } from '../../skip.ts'

/** A request sent by the service while it handled one. */
interface Relayed {
  /** The response of the service, with the request that it sent. */
  readonly answer: Answer
  readonly traceparent: string | undefined
  readonly trace: TraceContext | undefined
  readonly tracestate: string | undefined
}

/** Starts a server on this host for one request of the service. */
export async function listenForRelay(service: Service, headers: Readonly<Record<string, string>>): Promise<Relayed> {
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
