import type { Clock } from '../../base/clock.ts'
import type { Observation } from '../../instrumentation/observation.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { ExchangeHistory } from '../http-exchanges/exchange-history.ts'
import type { HttpExchangesOptions } from '../http-exchanges/http-exchanges-options.ts'
import { showExchange } from '../http-exchanges/shown-exchange.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

interface HttpExchangesContext {
  readonly observation: Observation
  readonly meters: MeterRegistry
  readonly clock: Clock
  readonly onClose: (close: () => void) => void
}

/** `httpexchanges`: the last observed requests, the latest one first. */
export function httpExchangesEndpoint(
  {
    capacity = 100,
    maximumBytes = 2 ** 20,
    requestHeaders = [],
    responseHeaders = ['content-type', 'content-length'],
  }: HttpExchangesOptions,
  { observation, meters, clock, onClose }: HttpExchangesContext,
): Endpoint {
  const names = {
    requestHeaders: requestHeaders.map((name) => name.toLowerCase()),
    responseHeaders: responseHeaders.map((name) => name.toLowerCase()),
  }
  const history = new ExchangeHistory({ capacity, maximumBytes, ...names })
  const unsubscribe = observation.onRequestEnd((request) => history.add(request))
  meters.functionCounter('upkeep.httpexchanges.dropped', {}, () => history.dropped, {
    description: 'Exchanges that were dropped because the limit of their size was reached',
  })
  onClose(() => {
    unsubscribe()
    history.clear()
  })

  const get = () => {
    const timeOrigin = clock.wallTime() - clock.monotonicTime()
    const context = { ...names, timeOrigin, redactPath: observation.redactPath }
    return json({ exchanges: history.read().map((slot) => showExchange(slot, context)) }, 'no-store')
  }
  return {
    id: 'httpexchanges',
    routes: [{ path: 'httpexchanges', resource: { access: 'authorized', get } }],
    describe,
  }
}

function describe(): EndpointDescription {
  const headers = { type: 'object', additionalProperties: listSchema(stringSchema) }
  const number = { type: 'integer' }
  const exchange = {
    type: 'object',
    properties: {
      timestamp: { type: 'string', format: 'date-time' },
      request: objectSchema({ method: stringSchema, uri: stringSchema, headers }),
      response: objectSchema({ status: number, headers }),
      timeTaken: { type: 'string', format: 'duration' },
      template: stringSchema,
      traceId: stringSchema,
      requestBytes: number,
      responseBytes: number,
      aborted: { type: 'boolean' },
    },
    required: ['timestamp', 'request', 'response', 'timeTaken'],
  }
  const summary = 'The last requests to the application.'
  const content = describeJson(objectSchema({ exchanges: listSchema(exchange) }))
  return { httpexchanges: { GET: { summary, responses: [{ status: 200, description: summary, content }] } } }
}
