import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import { authorizeCaller } from './authorize.ts'
import { requireSameSite } from './conventions/cross-site.ts'
import { operationOf } from './conventions/methods.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import { respondToRead } from './read-exchange.ts'
import { ResourceCall } from './resource-call.ts'
import { respondToError, routedPath } from './respond-to-error.ts'
import { optionsResponse } from './response.ts'
import { findRoute } from './router.ts'
import { write } from './write-exchange.ts'

/**
 * Responds to a request for `path`, the part of its target below the base path. Returns synchronously unless something
 * is asynchronous. Never throws or rejects: an error becomes an error document.
 */
export function exchange(
  request: ManagementRequest,
  path: string,
  context: ExchangeContext,
): MaybePromise<ManagementResponse> {
  try {
    const response = perform(request, path, context)
    return response instanceof Promise ? response.catch((error) => fail(error, request, path, context)) : response
  } catch (error) {
    return fail(error, request, path, context)
  }
}

function perform(request: ManagementRequest, path: string, context: ExchangeContext): MaybePromise<ManagementResponse> {
  const { resource, variables } = findRoute(context.router, path)
  const operation = operationOf(resource, request.method)
  if (operation.kind === 'options') return optionsResponse(resource)
  const isRefusable = operation.kind === 'write' || resource.refusesCrossSiteReads === true
  if (isRefusable && context.refuseCrossSite && !hasExplicitCredential(request, context)) {
    requireSameSite(request.headers)
  }
  return thenNow(authorizeCaller(request, resource.access, context.authorize), (principal) => {
    const call = new ResourceCall(request, variables, principal, context)
    if (operation.kind === 'write') return write(operation.perform, resource, call, path, context)
    return thenNow(operation.perform(call), (result) => respondToRead(result, resource, call, path, context))
  })
}

/** Whether a request has a credential that no browser adds by itself. */
export function hasExplicitCredential(request: ManagementRequest, { authorize }: ExchangeContext): boolean {
  return authorize?.hasExplicitCredential?.(request) === true
}

function fail(error: unknown, request: ManagementRequest, path: string, context: ExchangeContext): ManagementResponse {
  const { report, router } = context
  return respondToError(error, request, report, (response) => response, routedPath(request, path, router))
}
