import type { ServerResponse } from 'node:http'
import { recordError } from '../../src/entries/adapter.ts'
import type { ArgumentsHost } from './nest.ts'

interface Handler {
  next(exception: unknown, host: ArgumentsHost): unknown
}

const recorded: unique symbol = Symbol.for('upkeep.nest.recorded')

/**
 * Records the exceptions of requests in their observation, whichever filter handles them. Nest passes each one to this
 * class, those of guards, pipes and unknown routes as well, and offers no other place that sees them all.
 */
export function recordExceptions(prototype: Handler & { [recorded]?: true }): void {
  if (prototype[recorded]) return
  const { next } = prototype
  prototype[recorded] = true
  prototype.next = function (exception, host) {
    record(exception, host)
    return next.call(this, exception, host)
  }
}

function record(exception: unknown, host: ArgumentsHost): void {
  try {
    if (host.getType() === 'http') recordError(rawResponse(host.switchToHttp().getResponse()), exception)
  } catch {
    // An exception that cannot be recorded is handled all the same.
  }
}

/** Returns the response of node:http: Express passes it itself, Fastify in `raw`. */
export function rawResponse(response: ServerResponse | { readonly raw: ServerResponse }): ServerResponse {
  return 'raw' in response ? response.raw : response
}
