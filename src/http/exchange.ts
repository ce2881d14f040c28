import type { Clock } from '../base/clock.ts'
import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import { redactPath } from '../base/redact-path.ts'
import type { Report } from '../base/report.ts'
import { answerBare, answerContent, answerNothing, answerNotModified, answerOptions, type Rendered } from './answer.ts'
import { type Authorize, accessOf, demandPrincipal, type Principal } from './authorize.ts'
import { demandPreconditions, isCopyFresh } from './check-preconditions.ts'
import { preferredCoding } from './conventions/content-coding.ts'
import { isCrossSite } from './conventions/cross-site.ts'
import { parseFieldSelection } from './conventions/field-selection.ts'
import { operationOf } from './conventions/methods.ts'
import { acceptOf } from './conventions/negotiate.ts'
import { pathOf, segmentsOf } from './conventions/target.ts'
import { HttpError } from './errors/http-error.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import {
  type BareAnswer,
  chooseOffer,
  isBare,
  isStream,
  notAcceptable,
  type Representation,
  tagContent,
} from './representation.ts'
import type { Call, Handling, Resource } from './resource.ts'
import { ResourceCall } from './resource-call.ts'
import { failureOf, respondToError } from './respond-to-error.ts'
import { keepAnswer, keptAnswer } from './response-cache.ts'
import type { RouteMatch, Router } from './router.ts'
import { begin, type StreamedContent, watched } from './streamed-content.ts'

/** What every exchange of one management needs. */
export interface Exchange {
  readonly router: Router
  readonly authorize: Authorize | undefined
  readonly clock: Clock
  readonly report: Report
  readonly refuseCrossSite?: boolean | undefined
}

/**
 * Answers one request for `path`, the part of its target below the base path: at once where nothing has to be waited for.
 * It never throws or rejects: whatever is thrown on the way becomes an error document.
 */
export function exchange(request: ManagementRequest, path: string, parts: Exchange): MaybePromise<ManagementResponse> {
  try {
    const answer = answerRequest(request, path, parts)
    return answer instanceof Promise ? answer.catch((error) => refuse(error, request, path, parts)) : answer
  } catch (error) {
    return refuse(error, request, path, parts)
  }
}

function answerRequest(request: ManagementRequest, path: string, parts: Exchange): MaybePromise<ManagementResponse> {
  const { resource, variables } = route(parts.router, path)
  const operation = operationOf(resource, request.method)
  if (operation.kind === 'options') return answerOptions(resource)
  if (operation.kind === 'act' && parts.refuseCrossSite && isCrossSite(request.headers)) {
    throw new HttpError(403, 'Cross-site request refused.')
  }
  return thenNow(admit(request, resource, parts.authorize), (principal) => {
    const call = new ResourceCall(request, variables, principal, parts)
    return operation.kind === 'read'
      ? thenNow(operation.perform(call), (representation) => answerRead(resource, call, representation, path, parts))
      : act(operation.perform, resource, call, parts.clock)
  })
}

function refuse(error: unknown, request: ManagementRequest, path: string, parts: Exchange): ManagementResponse {
  const respond = (response: ManagementResponse) => response
  return respondToError(error, request, parts.report, respond, reportedPath(request, path, parts.router))
}

/** The whole path of a request as it may be reported, without the secrets in `path`, the part that is routed here. */
function reportedPath({ target }: ManagementRequest, path: string, router: Router): string {
  const whole = pathOf(target)
  const match = router(segmentsOf(path) ?? [])
  const before = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : ''
  return before + redactPath(path, match && `/${match.path}`)
}

function route(router: Router, path: string): RouteMatch {
  const literal = router.literals.get(path)
  if (literal !== undefined) return literal
  const segments = segmentsOf(path)
  if (segments === undefined) throw new HttpError(400, 'The path is not percent-encoded UTF-8.')
  const match = router(segments)
  if (match === undefined) throw new HttpError(404, 'There is no resource at this address.')
  return match
}

/** Who is calling, where the resource is not there for everybody. */
function admit(
  request: ManagementRequest,
  resource: Resource,
  authorize: Authorize | undefined,
): MaybePromise<Principal | undefined> {
  const access = accessOf(resource.access, request.method)
  return access === 'public' ? undefined : demandPrincipal(request, authorize, access)
}

function answerRead(
  resource: Resource,
  call: Call,
  representation: Representation | BareAnswer | undefined,
  path: string,
  parts: Exchange,
): MaybePromise<ManagementResponse> {
  const { request } = call
  if (representation === undefined) throw new HttpError(404, 'There is nothing at this address.')
  if (isBare(representation)) return answerBare(representation)
  const kept = keptAnswer(representation, request)
  if (kept !== undefined) return kept
  const offer = chooseOffer(representation, acceptOf(request.headers, call.query))
  if (offer === undefined) throw notAcceptable(representation)
  const content = offer.render(parseFieldSelection(call.query))
  const entityTag = tagContent(representation, offer, content)
  const coding = isStream(content) ? preferredCoding(request.headers) : 'identity'
  const rendered = { representation, isPrivate: isPrivate(resource, request.method), offer, content, entityTag, coding }
  const now = parts.clock.wallTime()
  if (isCopyFresh(call, representation, entityTag)) return answerNotModified(rendered, now)
  if (isStream(content) && request.method !== 'HEAD') return answerStream(content, rendered, request, path, parts)
  return keepAnswer(representation, request, answerContent(request.method, rendered, now))
}

/** Content that fails before its first byte is an error like any other; what fails later can only be reported. */
async function answerStream(
  stream: StreamedContent,
  rendered: Rendered,
  request: ManagementRequest,
  path: string,
  { clock, report, router }: Exchange,
): Promise<ManagementResponse> {
  const begun = await begin(stream, rendered.coding === 'identity')
  const content = watched(begun, (error) => report(failureOf(request, reportedPath(request, path, router)), error))
  return answerContent(request.method, { ...rendered, content }, clock.wallTime())
}

async function act(perform: Handling, resource: Resource, call: Call, clock: Clock): Promise<ManagementResponse> {
  const { request, query } = call
  const selection = parseFieldSelection(query)
  await demandPreconditions(resource, call)
  const representation = await perform(call)
  if (representation === undefined) return answerNothing()
  if (isBare(representation)) return answerBare(representation)
  // What is done is done: a client that accepts no form of the answer gets the preferred one (RFC 9110 §12.4.1).
  const offer = chooseOffer(representation, acceptOf(request.headers, query)) ?? representation.offers[0]
  const content = offer.render(selection)
  const entityTag = tagContent(representation, offer, content)
  return answerContent(
    request.method,
    { representation, isPrivate: isPrivate(resource, request.method), offer, content, entityTag, coding: 'identity' },
    clock.wallTime(),
  )
}

function isPrivate({ access }: Resource, method: string): boolean {
  return accessOf(access, method) !== 'public'
}
