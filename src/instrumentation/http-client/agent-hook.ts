import type { ClientRequest } from 'node:http'

/** What node:http gives a request to; no part of its public types. */
type AddRequest = (this: unknown, request: ClientRequest, ...rest: readonly unknown[]) => unknown

/**
 * Calls `begin` with every request before its headers are sent, until the function that it answers is called. By a patch
 * of `http.Agent.prototype.addRequest`, which `https.Agent` inherits: the only patch there is, for a Node whose node:http
 * has no channel that tells of a request in time.
 */
export function hookAgent(begin: (request: ClientRequest) => void): () => void {
  const { Agent } = process.getBuiltinModule('node:http')
  const prototype = Agent.prototype as unknown as { addRequest: AddRequest }
  const original = prototype.addRequest
  let isOver = false
  const hooked: AddRequest = function addRequest(request, ...rest) {
    if (!isOver) begin(request)
    return original.call(this, request, ...rest)
  }
  prototype.addRequest = hooked
  return () => {
    isOver = true
    // Where somebody has patched it after us, ours has to stay in between.
    if (prototype.addRequest === hooked) prototype.addRequest = original
  }
}
