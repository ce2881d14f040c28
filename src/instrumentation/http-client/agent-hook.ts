import type { ClientRequest } from 'node:http'

/** Assigns a request to a connection; not part of Node's public types. */
type AddRequest = (this: unknown, request: ClientRequest, ...rest: readonly unknown[]) => unknown

/**
 * Calls `begin` with every request before its headers are sent. Returns an unsubscribe function. Patches
 * `http.Agent.prototype.addRequest`, which `https.Agent` inherits: only for versions of Node without a diagnostics
 * channel at this point.
 */
export function hookAgent(begin: (request: ClientRequest) => void): () => void {
  const { Agent } = process.getBuiltinModule('node:http')
  // The types of Node lack `addRequest`.
  const prototype = Agent.prototype as typeof Agent.prototype & { addRequest: AddRequest }
  const original = prototype.addRequest
  let isOver = false
  const hooked: AddRequest = function addRequest(request, ...rest) {
    if (!isOver) begin(request)
    return original.call(this, request, ...rest)
  }
  prototype.addRequest = hooked
  return () => {
    isOver = true
    // If another patch was applied later, this one has to stay in place.
    if (prototype.addRequest === hooked) prototype.addRequest = original
  }
}
