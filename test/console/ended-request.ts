import type { EndedRequest } from '../../src/instrumentation/http-server/ended-request.ts'

/** Returns the record of a request that took 10 ms and succeeded, unless `given` says otherwise. */
export function endedRequest(given: Partial<EndedRequest> = {}): EndedRequest {
  const { status = 200, isAborted = false } = given
  return {
    method: 'GET',
    template: '/orders/:id',
    status,
    sentStatus: isAborted ? undefined : status,
    isAborted,
    seconds: 0.01,
    endedAt: 1_000,
    error: undefined,
    exception: 'none',
    trace: undefined,
    path: '/orders/7',
    target: '/orders/7?token=canary',
    scheme: 'http',
    authority: 'orders.example',
    requestBytes: undefined,
    responseBytes: undefined,
    requestHeader: () => undefined,
    responseHeader: () => undefined,
    ...given,
  }
}
